// Finds out once which instruction sets this machine can run.
#include <cstring>

#include "kernels.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <cpuid.h>
#elif defined(_WIN32)
#include <windows.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

namespace shadownpu {
namespace {

constexpr size_t kMostIsas = 4;

struct Usable {
  const Kernels* tables[kMostIsas] = {};
  const char* names[kMostIsas + 1] = {};
  size_t count = 0;

  void add(const Kernels& table) {
    tables[count] = &table;
    names[count] = table.name;
    ++count;
  }
  Usable();
};

#if defined(__x86_64__) || defined(_M_X64)

bool bit(unsigned word, int index) { return word >> index & 1; }

// Which vector registers the operating system saves.
unsigned saved_state() {
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

Usable::Usable() {
  unsigned a1, b1, c1, d1, a7, b7, c7, d7, ax, bx, cx, dx, as, bs, cs, ds;
  // The compiler may use the whole x86-64-v3 or -v4 level in the units of a set, so all of it is asked for.
  constexpr unsigned kAvxState = 0x6, kAvx512State = 0xe6;
  if (__get_cpuid(1, &a1, &b1, &c1, &d1) && __get_cpuid_count(7, 0, &a7, &b7, &c7, &d7) &&
      __get_cpuid(0x80000001, &ax, &bx, &cx, &dx) && bit(c1, 27)) {
    const unsigned state = saved_state();
    const bool fma = bit(c1, 12), movbe = bit(c1, 22), f16c = bit(c1, 29), lzcnt = bit(cx, 5);
    const bool bmi = bit(b7, 3) && bit(b7, 8), avx2 = bit(b7, 5);
    const bool level3 = (state & kAvxState) == kAvxState && fma && movbe && f16c && lzcnt && bmi && avx2;
    const bool f = bit(b7, 16), dq = bit(b7, 17), cd = bit(b7, 28), bw = bit(b7, 30), vl = bit(b7, 31);
    const bool vnni = bit(c7, 11);
    const bool level4 = level3 && (state & kAvx512State) == kAvx512State && f && dq && cd && bw && vl && vnni;
    const bool bf16 = level4 && a7 >= 1 && __get_cpuid_count(7, 1, &as, &bs, &cs, &ds) && bit(as, 5);
    if (bf16) add(kernels_avx512bf16);
    if (level4) add(kernels_avx512);
    if (level3) add(kernels_avx2);
  }
  add(kernels_scalar);
}

#elif defined(__aarch64__) || defined(_M_ARM64)

struct ArmFeatures {
  bool dotprod, i8mm, bf16;
};

#if defined(_WIN32)
ArmFeatures arm_features() {
  // PF_ARM_V82_DP, PF_ARM_V82_I8MM and PF_ARM_V86_BF16, which older headers do not name.
  return {IsProcessorFeaturePresent(43) != 0, IsProcessorFeaturePresent(66) != 0, IsProcessorFeaturePresent(68) != 0};
}
#elif defined(__APPLE__)
bool has(const char* name) {
  int value = 0;
  size_t size = sizeof value;
  return sysctlbyname(name, &value, &size, nullptr, 0) == 0 && value != 0;
}
ArmFeatures arm_features() {
  return {has("hw.optional.arm.FEAT_DotProd"), has("hw.optional.arm.FEAT_I8MM"), has("hw.optional.arm.FEAT_BF16")};
}
#else
ArmFeatures arm_features() {
  const unsigned long one = getauxval(AT_HWCAP), two = getauxval(AT_HWCAP2);
  return {(one >> 20 & 1) != 0, (two >> 13 & 1) != 0, (two >> 14 & 1) != 0};
}
#endif

Usable::Usable() {
  const ArmFeatures has = arm_features();
  if (has.dotprod && has.i8mm && has.bf16) add(kernels_i8mm);
  if (has.dotprod) add(kernels_dotprod);
  add(kernels_neon);
  add(kernels_scalar);
}

#else
#error "ShadowNPU's kernels know x86-64 and arm64 only"
#endif

const Usable& usable() {
  static const Usable found;
  return found;
}

}  // namespace

const char* const* usable_isas() { return usable().names; }

const Kernels* kernels_for(const char* isa) {
  for (size_t i = 0; i < usable().count; ++i) {
    if (std::strcmp(usable().names[i], isa) == 0) return usable().tables[i];
  }
  return nullptr;
}

}  // namespace shadownpu
