// SPDX-License-Identifier: BSD-2-Clause
#include "dae_case.hpp"
#include "problems/daes/andrews_squeezer.hpp"
#include "problems/daes/car_axis.hpp"
#include "problems/daes/fekete.hpp"
#include "problems/daes/slider_crank.hpp"
#include "problems/daes/water_tube.hpp"
#include "problems/daes/wheelset.hpp"

namespace saltus::benchmarks {

std::vector<DaeCase> mechanical_cases() {
  using namespace problems;
  std::vector<DaeCase> cases;
  cases.push_back(dae_case<AndrewsSqueezer>(andrews_squeezer(), 7.0, 1.5));
  cases.back().make_ode = andrews_ode;
  cases.push_back(dae_case<CarAxis>(car_axis(), 5.0, 1.5));
  cases.back().make_ode = car_axis_ode;
  cases.push_back(dae_case<SliderCrank>(slider_crank(), 6.0));
  cases.push_back(dae_case<WaterTube>(water_tube(), 4.0));
  cases.push_back(dae_case<Fekete>(fekete(), 7.0));
  cases.push_back(dae_case<Wheelset>(wheelset(), 5.0));
  return cases;
}

}  // namespace saltus::benchmarks
