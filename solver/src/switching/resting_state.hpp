// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "events/contact.hpp"
#include "saltus/switching/resting_model.hpp"

namespace saltus {

/// What a `RestingModel` knows: the contacts that rest, the impacts before, and the event under
/// way.
struct RestingModel::State {
  State(Model& m, RestingOptions o) : model(m), options(o), motion(m) {}

  // What the impacts of an indicator have been like.
  struct Impacts {
    double largest = 0.0;        // change of h'
    std::vector<double> change;  // of the states, in the last one large enough to be sure of it
    double speed = 0.0;          // change of h' in that one
    double ratio = 1.0;          // rebound to approach
    bool turned = false;         // its line is not that of the one before
  };
  // The event under way, when it began.
  struct Arrival {
    std::vector<double> y;
    std::vector<std::size_t> changed;
    double speed = 0.0;  // h' of the indicator that changed, if it is only one
  };

  Model& model;
  RestingOptions options;
  ContactMotion motion;
  Experiment experiment;
  std::vector<Contact> contacts;
  std::vector<double> matrix;  // the responses of the contacts
  std::vector<Impacts> impacts;
  std::vector<char> positive;    // the domains of the phase
  std::vector<double> held_off;  // added to indicators, from the end of a rest to the next event
  Arrival arrival;
  bool in_event_mode = true;  // the wrapped model is
  std::vector<double> f, z, nominal;

  double elapsed(double t) const;
  [[noreturn]] void refuse(const Contact& contact, double t, const std::string& why) const;
  /// The multiples of J that keep h' = 0.
  bool forces(double t, ConstVec y, ConstVec slope, std::vector<double>& lambda);
  /// Moves y to h = 0 and h' = 0.
  Eval mend(double t, Vec y);
  /// Whether the surfaces lie as they did when the rest began; throws if not.
  void check_turning(double t, ConstVec y);
  /// After an event, with the wrapped model quiet and in continuous-time mode at (t, y): which
  /// contacts rest from here on. Moves y onto their surfaces.
  SlidingChange update_contacts(double t, Vec y);

 private:
  bool note_impact(double t, ConstVec y, Contact& contact);
  double rounding(const Contact& contact, double t, ConstVec y);
  bool comes_to_rest(double t, ConstVec y, const Contact& contact);
  bool drop_contacts(double t, ConstVec y);
};

}  // namespace saltus
