// What the C++ interface of dora 0.5 had beyond that of 1.1.0: declarations alone, for the guide that shows
// them. The types are those of the header that cxx makes from 1.1.0, which goes before.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_TESTS_DORA_CXX_0_5_H
#define DORA_TESTS_DORA_CXX_0_5_H

struct DataSampleHandle;

DoraNode init_dora_node_from_id(rust::String node_id);
DoraNode init_dora_node_flexible(rust::String node_id);
rust::String node_id(const rust::Box<OutputSender> &output_sender) noexcept;
rust::String dataflow_id(const rust::Box<OutputSender> &output_sender) noexcept;
rust::Box<DataSampleHandle> allocate_data_sample(rust::Box<OutputSender> &output_sender, std::size_t len);
std::uint8_t *data_sample_as_ptr(rust::Box<DataSampleHandle> &handle) noexcept;
std::size_t data_sample_len(const rust::Box<DataSampleHandle> &handle) noexcept;
DoraResult send_data_sample(rust::Box<OutputSender> &output_sender, rust::String id,
                            rust::Box<DataSampleHandle> sample) noexcept;
DoraResult send_data_sample_with_metadata(rust::Box<OutputSender> &output_sender, rust::String id,
                                          rust::Box<DataSampleHandle> sample,
                                          rust::Box<Metadata> metadata) noexcept;

#endif
