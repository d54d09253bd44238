#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/compute/kernel_source.h"
#include "weir/op/schema.h"
#include "weir/op/step.h"

namespace weir::op {

/// The form in which an operator wants its input; the planner inserts the conversion.
struct InputForm {
  SampleType type = SampleType::float32;
  bool zero_based =
      true;  ///< Counts are shifted by offset/gain first, so that 0 means 0 physical units.
};

/// Whether an operator takes events beside its signal: from a detector or a table.
enum class TakesEvents { no, if_given, always };
/// "no", "if given", "always".
std::string_view takes_events_name(TakesEvents takes) noexcept;

/// The text of an operator's device kernels: one dialect for the host, OpenCL and CUDA
/// (compute/dialect/). Without entries, the operator runs on the CPU only.
using DeviceText = compute::KernelSource;

/// What a spec's `op` names. Made by `make_operator`, listed by the catalogue.
class Operator {
 public:
  virtual ~Operator() = default;
  virtual const std::string& name() const noexcept = 0;
  virtual const std::string& summary() const noexcept = 0;
  virtual const std::vector<FieldInfo>& fields() const noexcept = 0;
  virtual const DeviceText& device() const noexcept = 0;
  virtual TakesEvents takes_events() const noexcept { return TakesEvents::no; }
  /// Problems of the parameters alone; `node` places them.
  virtual void check(const Value& params, const std::string& node,
                     std::vector<Problem>& problems) const = 0;
  /// The parameters with every default filled in.
  virtual Value canonical(const Value& params) const = 0;
  virtual InputForm input_form(const Value& params, const StreamInfo& in) const = 0;
  /// Binds parameters to a stream. Errors: `invalid_spec` "field: what is wrong".
  virtual std::unique_ptr<Step> plan(const Value& params, const StepContext& context) const = 0;
};

template <class Params>
struct OperatorParts {
  std::string name;
  std::string summary;
  Schema<Params> schema;
  std::function<std::unique_ptr<Step>(const Params&, const StepContext&)> plan;
  /// Default: float32, zero based.
  std::function<InputForm(const Params&, const StreamInfo&)> input_form = nullptr;
  DeviceText device = {};
  TakesEvents takes_events = TakesEvents::no;
};

/// The keys every node has besides its operator's fields.
std::span<const std::string_view> node_keys() noexcept;

template <class Params>
std::unique_ptr<Operator> make_operator(OperatorParts<Params> parts) {
  class Made final : public Operator {
   public:
    explicit Made(OperatorParts<Params> parts)
        : parts_(std::move(parts)), fields_(parts_.schema.describe()) {}
    const std::string& name() const noexcept override { return parts_.name; }
    const std::string& summary() const noexcept override { return parts_.summary; }
    const std::vector<FieldInfo>& fields() const noexcept override { return fields_; }
    const DeviceText& device() const noexcept override { return parts_.device; }
    TakesEvents takes_events() const noexcept override { return parts_.takes_events; }
    void check(const Value& params, const std::string& node,
               std::vector<Problem>& problems) const override {
      parts_.schema.read(params, node, node_keys(), problems);
    }
    Value canonical(const Value& params) const override {
      return parts_.schema.write(read(params));
    }
    InputForm input_form(const Value& params, const StreamInfo& in) const override {
      return parts_.input_form ? parts_.input_form(read(params), in) : InputForm{};
    }
    std::unique_ptr<Step> plan(const Value& params, const StepContext& context) const override {
      return parts_.plan(read(params), context);
    }

   private:
    Params read(const Value& params) const {
      std::vector<Problem> problems;
      Params read = parts_.schema.read(params, "", node_keys(), problems);
      throw_if_any(problems);
      return read;
    }
    OperatorParts<Params> parts_;
    std::vector<FieldInfo> fields_;
  };
  return std::make_unique<Made>(std::move(parts));
}

}  // namespace weir::op
