// Loading a shared library by path.
#pragma once

#include <string>

namespace shadownpu::ort {

/// Loads the library for the life of the process and returns the address of `symbol`; throws ORT_UNAVAILABLE.
/// Also pins this addon: threads of the library may call back into it after the last JavaScript environment has gone.
void* LoadSymbol(const std::string& utf8_path, const char* symbol);

}  // namespace shadownpu::ort
