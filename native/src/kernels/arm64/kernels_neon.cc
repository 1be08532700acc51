// The kernels for any arm64.
#if defined(__aarch64__) || defined(_M_ARM64)

#include "../ops/table.h"
#include "neon.h"

namespace shadownpu {

const Kernels kernels_neon = ops::table<Neon>();

}  // namespace shadownpu

#endif
