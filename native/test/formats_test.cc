// max_abs, quantize and to_bf16 bit for bit.
#include <bit>
#include <cmath>
#include <limits>

#include "../src/kernels/reference/reference.h"
#include "check.h"

namespace shadownpu::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

void quantize_equals(const Kernels& kernels, const std::vector<float>& x, float lambda) {
  std::vector<int8_t> got(x.size()), want(x.size());
  kernels.quantize(x.data(), got.data(), x.size(), lambda);
  reference::quantize(x.data(), want.data(), x.size(), lambda);
  for (size_t i = 0; i < x.size(); ++i) {
    check(got[i] == want[i], "quantize", [&] {
      return text(kernels.name, {{"x", x[i]}, {"lambda", lambda}, {"got", got[i]}, {"want", want[i]}});
    });
  }
}

void test_quantize(const Kernels& kernels) {
  Random random(1);
  for (size_t n = 0; n < 140; ++n) quantize_equals(kernels, random.normals(n), 0.02f);
  for (float lambda : {0.08827418f, 1.0f, 3.0f, 1e-30f, 1e-40f, 1e30f}) {
    // Around every rounding boundary: the middle and its neighbours.
    std::vector<float> x;
    for (int code = -130; code <= 130; ++code) {
      const float middle = (static_cast<float>(code) + 0.5f) * lambda;
      for (float value : {middle, std::nextafter(middle, kInfinity), std::nextafter(middle, -kInfinity)}) {
        x.push_back(value);
      }
    }
    for (float value : {0.0f, -0.0f, 1e-45f, 3e38f, -3e38f, kInfinity, -kInfinity, kNaN, -kNaN}) x.push_back(value);
    quantize_equals(kernels, x, lambda);
  }
  quantize_equals(kernels, random.normals(4099, 4), 0.0321f);
}

void test_max_abs(const Kernels& kernels) {
  Random random(2);
  for (size_t n = 0; n < 70; ++n) {
    std::vector<float> x = random.normals(n);
    check(kernels.max_abs(x.data(), n) == reference::max_abs(x.data(), n), "max_abs", [&] {
      return text(kernels.name, {{"n", static_cast<double>(n)}});
    });
    if (n == 0) continue;
    x[n - 1] = -kInfinity;
    check(kernels.max_abs(x.data(), n) == kInfinity, "max_abs infinity", [&] { return kernels.name; });
    x[n / 2] = -kNaN;
    check(std::isnan(kernels.max_abs(x.data(), n)), "max_abs NaN", [&] { return kernels.name; });
  }
}

void test_to_bf16(const Kernels& kernels) {
  Random random(3);
  std::vector<float> x = random.normals(1003);
  // Halfway cases, the greatest numbers, and NaN whose payload sits in the half that is cut off.
  for (uint32_t bits : {0x3f808000u, 0x3f818000u, 0x3f807fffu, 0x3f808001u, 0x7f7fffffu, 0xff7fffffu, 0x7f800000u,
                        0xff800000u, 0x7f800001u, 0xff80ffffu, 0x7fc00000u, 0x00000001u, 0x80008000u, 0x0u}) {
    x.push_back(std::bit_cast<float>(bits));
  }
  std::vector<uint16_t> got(x.size()), want(x.size());
  kernels.to_bf16(x.data(), got.data(), x.size());
  reference::to_bf16(x.data(), want.data(), x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    check(got[i] == want[i], "to_bf16", [&] { return text(kernels.name, {{"x", x[i]}, {"got", got[i]}}); });
    check(std::isnan(x[i]) == ((want[i] & 0x7fff) > 0x7f80), "to_bf16 NaN", [&] {
      return text(kernels.name, {{"x", x[i]}});
    });
  }
}

}  // namespace

void test_formats(const Kernels& kernels) {
  test_quantize(kernels);
  test_max_abs(kernels);
  test_to_bf16(kernels);
}

}  // namespace shadownpu::test
