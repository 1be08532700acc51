// The whole test framework: counted checks, seeded random data, and the list of tests.
#pragma once

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "../src/kernels/kernels.h"

namespace shadownpu::test {

inline int passed = 0, failed = 0;

// Counts a check; prints the first failures with `where`, built only then.
template <class Where>
void check(bool ok, const char* what, Where where) {
  if (ok) {
    ++passed;
  } else if (++failed <= 20) {
    std::printf("FAILED %s: %s\n", what, std::string(where()).c_str());
  }
}

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  float normal() { return normal_(engine_); }
  // Uniform whole number from least to greatest.
  int64_t whole(int64_t least, int64_t greatest) {
    return std::uniform_int_distribution<int64_t>(least, greatest)(engine_);
  }
  std::vector<float> normals(size_t n, float spread = 1) {
    std::vector<float> x(n);
    for (float& value : x) value = normal() * spread;
    return x;
  }
  // Full range, -128 included, which quantise never makes but a caller may pass.
  std::vector<int8_t> codes(size_t n) {
    std::vector<int8_t> x(n);
    for (int8_t& value : x) value = static_cast<int8_t>(whole(-128, 127));
    return x;
  }

 private:
  std::mt19937 engine_;
  std::normal_distribution<float> normal_;
};

inline std::string text(const char* isa, std::initializer_list<std::pair<const char*, double>> values) {
  std::string out = isa;
  for (const auto& [name, value] : values) {
    char part[64];
    std::snprintf(part, sizeof part, " %s=%.9g", name, value);
    out += part;
  }
  return out;
}

// Each runs one table against the reference.
void test_formats(const Kernels& kernels);
void test_pilot(const Kernels& kernels);
void test_topk(const Kernels& kernels);
void test_sparse(const Kernels& kernels);
void test_full(const Kernels& kernels);
void test_select(const Kernels& kernels);
void test_tail(const Kernels& kernels);
void test_shadow(const Kernels& kernels);
void test_decode(const Kernels& kernels);
void test_not_finite(const Kernels& kernels);
void test_baselines(const Kernels& kernels);

}  // namespace shadownpu::test
