#include "fault.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace fault {

namespace {

std::filesystem::path OwnPath() {
#ifdef _WIN32
  HMODULE self = nullptr;
  GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                     reinterpret_cast<LPCWSTR>(&OwnPath), &self);
  wchar_t path[32768];
  return std::wstring(path, GetModuleFileNameW(self, path, 32768));
#else
  Dl_info info{};
  return dladdr(reinterpret_cast<void*>(&OwnPath), &info) ? info.dli_fname : "";
#endif
}

Kind Named(const std::string& name) {
  if (name == "fail") return Kind::kFail;
  if (name == "throw") return Kind::kThrow;
  if (name == "crash") return Kind::kCrash;
  if (name == "hang") return Kind::kHang;
  if (name == "nan") return Kind::kNan;
  if (name == "lost") return Kind::kLost;
  return Kind::kNone;
}

const char* Name(Stage stage) {
  switch (stage) {
    case Stage::kRegister:
      return "register";
    case Stage::kCreate:
      return "create";
    default:
      return "run";
  }
}

std::mutex mutex;
std::string last;
long good = 0;

}  // namespace

Kind Asked(Stage stage) {
  std::ifstream file(OwnPath().parent_path() / "fault");
  std::string text;
  std::getline(file, text);
  std::istringstream words(text);
  std::string where, kind;
  long after = 0;
  words >> where >> kind >> after;

  std::lock_guard lock(mutex);
  if (text != last) good = 0;
  last = text;
  if (where == Name(stage) && (stage != Stage::kRun || good >= after)) return Named(kind);
  if (stage == Stage::kRun) ++good;
  return Kind::kNone;
}

void Suffer(Kind kind) {
  if (kind == Kind::kThrow) throw std::runtime_error("injected exception");
  if (kind == Kind::kCrash) {
    volatile int* nowhere = nullptr;
    *nowhere = 1;
  }
  while (kind == Kind::kHang) std::this_thread::sleep_for(std::chrono::seconds(1));
}

}  // namespace fault
