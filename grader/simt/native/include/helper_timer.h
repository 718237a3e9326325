// What CUDA's samples take from helper_timer.h is in helper_functions.h.
#pragma once

#include "helper_functions.h"
