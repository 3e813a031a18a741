#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/error.h"

namespace reducelab {

/// The one-line text of the usage Error that `action` throws; fails the test if it throws none.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

}  // namespace reducelab
