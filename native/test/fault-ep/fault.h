// Which fault the test device shows: the text of a file named `fault` beside the library, "STAGE KIND [AFTER]", read
// anew at every stage. A file works in every process and thread that loads the library and can change in the middle of
// an answer.
#pragma once

#include <string>

namespace fault {

/// `register`, `create` (a session) or `run`.
enum class Stage { kRegister, kCreate, kRun };

enum class Kind { kNone, kFail, kThrow, kCrash, kHang, kNan, kLost };

/// The fault of this stage now, kNone where another stage or nothing is asked for. `run` faults start after AFTER good
/// runs of the process.
Kind Asked(Stage stage);

/// Crashes, hangs for good or throws where `kind` asks for that; otherwise returns.
void Suffer(Kind kind);

}  // namespace fault
