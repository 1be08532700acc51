#include "compress_table.h"

namespace shadownpu {
namespace {

constexpr CompressTable make() {
  CompressTable table{};
  for (int mask = 0; mask < 256; ++mask) {
    int count = 0;
    for (int bit = 0; bit < 8; ++bit) {
      if (mask >> bit & 1) table.positions[mask][count++] = static_cast<uint8_t>(bit);
    }
  }
  return table;
}

}  // namespace

alignas(64) constinit const CompressTable compress_table = make();

}  // namespace shadownpu
