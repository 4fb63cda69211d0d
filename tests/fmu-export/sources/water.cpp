// SPDX-License-Identifier: BSD-2-Clause
#include "stone/water.hpp"

double drag_of_water() { return 0.0625; }
