// SPDX-License-Identifier: BSD-2-Clause
#pragma once

double drag_of_water();
