// The kernels for arm64 with dotprod.
#if defined(__aarch64__) || defined(_M_ARM64)

#include "../ops/table.h"
#include "dotprod.h"

namespace shadownpu {

const Kernels kernels_dotprod = ops::table<Dotprod>();

}  // namespace shadownpu

#endif
