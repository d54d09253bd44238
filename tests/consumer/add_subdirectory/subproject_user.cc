#include <cstdio>

#include "weir/core/sample_rate.h"

int main() {
  const auto rate = weir::SampleRate::from_hz(30000.12);
  std::printf("%s\n", rate.text().c_str());
  return rate.exact().numerator() == 750003 && rate.exact().denominator() == 25 ? 0 : 1;
}
