// cuBLAS without its interface of before 2010.
#pragma once

#include "cublas_v2.h"
