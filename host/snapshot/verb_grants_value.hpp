// SPDX-License-Identifier: Apache-2.0
//
// What verbs may do as JSON: [model], and the tables of others' verbs.
#pragma once

#include <boost/json.hpp>
#include <vector>

#include "snapshot/object_reader.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

[[nodiscard]] boost::json::object model_json(const ModelGrants& model);
[[nodiscard]] boost::json::array verbs_json(const std::vector<GrantedVerb>& verbs);
/// The network and the ports of [localhost] were read before. errors: Invalid, with the place
[[nodiscard]] Status read_model(const boost::json::value& value, Grants& grants);
void read_verbs(ObjectReader& reader, Grants& grants);

}  // namespace lnk::host
