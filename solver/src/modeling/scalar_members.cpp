// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/native_model.hpp"

// The member lists of the scalars that every `NativeModel` is made with, once for all of them.
namespace saltus::modeling {

template class MembersOf<Watched>;
template class MembersOf<Locked>;
template class MembersOf<Tangent>;
template class MembersOf<Recorded>;
template class MembersOf<Symbolic>;

}  // namespace saltus::modeling
