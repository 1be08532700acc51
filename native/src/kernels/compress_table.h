// For each 8-bit mask the positions of its set bits, ascending: a compressing store for sets that have none.
#pragma once

#include <cstdint>

namespace shadownpu {

struct CompressTable {
  uint8_t positions[256][8];
};

extern const CompressTable compress_table;

}  // namespace shadownpu
