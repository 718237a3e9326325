// What the runtime needs of the system.
#pragma once

#include <errno.h>
#include <pthread.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <dlfcn.h>
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define QUIZ_FRAMES(frames, count) backtrace(frames, count)
#else
#define QUIZ_FRAMES(frames, count) 0
#endif

#include <initializer_list>
