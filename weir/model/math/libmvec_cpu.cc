// The elementary functions of glibc's libmvec at the width of each target.
#include <dlfcn.h>

#include <string>

#include "weir/model/math/function_table_internal.h"

// Two widths are enough, and libmvec has no more for them.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/model/math/libmvec_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::model::HWY_NAMESPACE {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, kMathLanes>;
using Vector = hn::Vec<Tag>;
// What a register is to the vector function ABI.
using Register = decltype(Vector::raw);
using Unary = Register (*)(Register);
using Binary = Register (*)(Register, Register);

// libmvec's functions, by number of Function.
Unary unary_entries[kFunctionCount];
Binary binary_entries[kFunctionCount];

constexpr std::size_t number(Function function) {
  return static_cast<std::size_t>(function);
}

// asin and acos of |x| within 4 eps of 1 are those of 1.
template <Function kFunction>
Register clamped(Register x) {
  const Tag d;
  const Vector value{x};
  const auto one = hn::Set(d, 1.0);
  const auto size = hn::Abs(value);
  const auto most = hn::Set(d, 1 + 4 * 2.220446049250313e-16);
  const auto beyond = hn::And(hn::Gt(size, one), hn::Le(size, most));
  return unary_entries[number(kFunction)](
      hn::IfThenElse(beyond, hn::CopySignToAbs(one, value), value).raw);
}

template <Function kFunction>
constexpr bool kClamps = kFunction == Function::asin || kFunction == Function::acos;

template <Function kFunction>
void unary(const double* a, double* y, std::int64_t count) {
  const Tag d;
  const Unary f = kClamps<kFunction> ? &clamped<kFunction> : unary_entries[number(kFunction)];
  for (std::int64_t i = 0; i < count; i += static_cast<std::int64_t>(hn::Lanes(d))) {
    hn::Store(Vector{f(hn::Load(d, a + i).raw)}, d, y + i);
  }
}

template <Function kFunction>
void binary(const double* a, const double* b, double* y, std::int64_t count) {
  const Tag d;
  const Binary f = binary_entries[number(kFunction)];
  for (std::int64_t i = 0; i < count; i += static_cast<std::int64_t>(hn::Lanes(d))) {
    hn::Store(Vector{f(hn::Load(d, a + i).raw, hn::Load(d, b + i).raw)}, d, y + i);
  }
}

std::string symbol(Function function) {
  const std::string width = HWY_TARGET == HWY_AVX3 ? "_ZGVeN8v" : "_ZGVdN4v";
  return width + (arity(function) == 2 ? "v_" : "_") + std::string(name(function));
}

template <Function kFunction>
bool set(FunctionTable& table, void* library) {
  void* const found = dlsym(library, symbol(kFunction).c_str());
  constexpr std::size_t i = number(kFunction);
  if constexpr (kFunction < Function::pow) {
    unary_entries[i] = reinterpret_cast<Unary>(found);
    table.unary[i] = &unary<kFunction>;
  } else {
    binary_entries[i] = reinterpret_cast<Binary>(found);
    table.binary[i] = &binary<kFunction>;
  }
  table.entry[i] = found;
  if constexpr (kClamps<kFunction>) {
    table.entry[i] = reinterpret_cast<void*>(&clamped<kFunction>);
  }
  return found != nullptr;
}

}  // namespace

bool fill_from(void* library, FunctionTable& table) {
  using enum Function;
  return set<exp>(table, library) && set<expm1>(table, library) && set<log>(table, library) &&
         set<log1p>(table, library) && set<cbrt>(table, library) && set<sin>(table, library) &&
         set<cos>(table, library) && set<tan>(table, library) && set<asin>(table, library) &&
         set<acos>(table, library) && set<atan>(table, library) && set<sinh>(table, library) &&
         set<cosh>(table, library) && set<tanh>(table, library) && set<erf>(table, library) &&
         set<erfc>(table, library) && set<pow>(table, library) && set<atan2>(table, library);
}
#endif

}  // namespace weir::model::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::model {
namespace {

// Open for as long as the process lives.
void* libmvec() {
  static void* const kLibrary = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
  return kLibrary;
}

}  // namespace

bool fill_from_libmvec(MathTarget target, FunctionTable& table) {
#if HWY_ARCH_X86_64
  const auto machine = hwy::SupportedTargets();
  if (target == MathTarget::avx512 && (machine & HWY_AVX3) != 0 && libmvec() != nullptr) {
    return N_AVX3::fill_from(libmvec(), table);
  }
  if (target == MathTarget::avx2 && (machine & HWY_AVX2) != 0 && libmvec() != nullptr) {
    return N_AVX2::fill_from(libmvec(), table);
  }
#endif
  return false;
}

}  // namespace weir::model
#endif
