//! Each rule, in dataflows as the daemon passes them to the nodes, seen from both ends.

use dora_message::daemon_to_node::{OutputRouting, RequiredAcker};
use dora_node_api::uuid;

use super::*;

/// The nodes of a dataflow that are programs, as the daemon starts them.
fn started(yaml: &str) -> BTreeMap<String, NodeConfig> {
    let descriptor: Descriptor = serde_yaml::from_str(yaml).unwrap();
    let nodes = descriptor.resolve_aliases_and_set_defaults().unwrap();
    let descriptor = serde_yaml::to_value(&descriptor).unwrap();
    let configs = nodes.iter().filter_map(|(id, node)| {
        let custom = node.kind.as_custom()?;
        let config = NodeConfig {
            dataflow_id: uuid::Uuid::nil(),
            node_id: id.clone(),
            run_config: custom.run_config.clone(),
            daemon_communication: None,
            dataflow_descriptor: descriptor.clone(),
            dynamic: custom.path == DYNAMIC_SOURCE,
            write_events_to: None,
            restart_count: 0,
            output_routing: None,
        };
        // The way from the daemon to the node.
        let config = serde_yaml::to_string(&config).unwrap();
        Some((id.to_string(), serde_yaml::from_str(&config).unwrap()))
    });
    configs.collect()
}

/// The plans of all nodes, which have to agree with each other.
fn plans(yaml: &str) -> BTreeMap<String, Plan> {
    let plans: BTreeMap<_, _> =
        started(yaml).into_iter().map(|(id, config)| (id, Plan::of(&config, &Setting::On))).collect();
    let mut written = Vec::new();
    let mut read = Vec::new();
    for (id, plan) in &plans {
        for output in &plan.outputs {
            let reader = |reader: &Reader| {
                let Reader { node, input } = reader;
                format!("{id}/{} to {node}/{input}, {:?}", output.id, output.shape)
            };
            written.extend(output.readers.iter().map(reader));
        }
        let reader = |input: &InputPlan| {
            format!("{}/{} to {id}/{}, {:?}", input.node, input.output, input.id, input.shape)
        };
        read.extend(plan.inputs.iter().map(reader));
    }
    written.sort();
    read.sort();
    assert_eq!(written, read, "the two ends do not agree");
    plans
}

/// Why an output or input of a node stays on dora's path.
fn why<'a>(plan: &'a Plan, id: &str) -> &'a str {
    let refusal = plan.refused.iter().find(|refusal| *refusal.id == id);
    assert!(plan.outputs.iter().all(|output| *output.id != id), "{id} is on the lane: {plan:?}");
    assert!(plan.inputs.iter().all(|input| *input.id != id), "{id} is on the lane: {plan:?}");
    &refusal.unwrap_or_else(|| panic!("{id} is not refused: {plan:?}")).why
}

/// A dataflow of two nodes: an output `out` that is received as `in`, with more keys for each and for the
/// input.
fn pair(top: &str, producer: &str, consumer: &str, input: &str) -> String {
    format!(
        "{{{top} nodes: [
          {{id: from, path: ./from, outputs: [out], {producer}}},
          {{id: to, path: ./to, inputs: {{in: {{source: from/out, {input}}}}}, {consumer}}}]}}"
    )
}

/// Checks that both ends of a pair stay on dora's path, for the same reason.
#[track_caller]
fn assert_refused(yaml: &str, expected: &str) {
    let plans = plans(yaml);
    assert_eq!(why(&plans["from"], "out"), expected);
    assert!(plans["from"].refused[0].is_output);
    if let Some(to) = plans.get("to") {
        assert_eq!(why(to, "in"), expected);
        assert!(!to.refused[0].is_output);
    }
}

#[test]
fn both_ends_plan_a_plain_output_alike() {
    let plans = plans(&pair("", "", "", "queue_size: 3"));
    let shape = Shape { readers: 1, depth: 3 };
    let [output] = &plans["from"].outputs[..] else { panic!("{plans:?}") };
    let readers = vec![Reader { node: "to".to_owned(), input: "in".to_owned() }];
    assert_eq!(output, &OutputPlan { id: "out".into(), shape, readers });
    let [input] = &plans["to"].inputs[..] else { panic!("{plans:?}") };
    let (node, out) = ("from".to_owned(), "out".to_owned());
    assert_eq!(input, &InputPlan { id: "in".into(), node, output: out, queue: 3, shape });
    assert!(plans.values().all(|plan| plan.refused.is_empty() && !plan.is_empty()));
}

const SEVERAL: &str = "
nodes:
  - id: camera
    path: ./camera
    outputs: [image, left/info, unheard]
    inputs: {tick: dora/timer/hz/30, again: camera/image}
  - id: plot
    path: ./plot
    inputs:
      image: camera/image
      late: {source: camera/image, queue_size: 25}
      info: {source: camera/left/info, queue_size: 0}
      logs: dora/logs
  - id: record
    path: ./record
    inputs: {camera/image: camera/image}
";

#[test]
fn all_receiving_inputs_count_and_the_longest_queue() {
    let plans = plans(SEVERAL);
    let [image, info] = &plans["camera"].outputs[..] else { panic!("{plans:?}") };
    let readers: Vec<_> =
        image.readers.iter().map(|reader| format!("{} as {}", reader.node, reader.input)).collect();
    assert_eq!(readers, ["camera as again", "plot as image", "plot as late", "record as camera/image"]);
    assert_eq!(image.shape, Shape { readers: 4, depth: 25 });
    assert_eq!((&**info.id, info.shape), ("left/info", Shape { readers: 1, depth: 1 }));
    let queues: Vec<_> =
        plans["plot"].inputs.iter().map(|input| (input.id.to_string(), input.queue)).collect();
    assert_eq!(queues, [("image".to_owned(), 10), ("info".to_owned(), 1), ("late".to_owned(), 25)]);
    assert_eq!(plans["camera"].inputs[0].shape, image.shape);
}

#[test]
fn only_what_is_wanted_is_planned_or_refused() {
    let configs = started(SEVERAL);
    let plan = |node: &str, list: &str| Plan::of(&configs[node], &Setting::parse(list).unwrap());
    let off = Plan::of(&configs["camera"], &Setting::Off);
    assert!(off.is_empty() && off.refused.is_empty());
    let all = plan("camera", "1");
    assert_eq!((all.outputs.len(), all.inputs.len(), all.refused.len()), (2, 1, 1));
    assert_eq!(why(&all, "unheard"), "no node receives it");
    let some = plan("camera", "image");
    assert_eq!((some.outputs.len(), some.inputs.len(), some.refused.len()), (1, 0, 0));
    assert_eq!(some.outputs[0].shape.readers, 4);
    let input = plan("camera", "again");
    assert_eq!((input.outputs.len(), input.inputs.len(), input.refused.len()), (0, 1, 0));
    let nothing = plan("plot", "logs");
    assert_eq!(why(&nothing, "logs"), "its messages come from dora itself, not from a node");
    assert!(nothing.is_empty() && nothing.refused.len() == 1);
    assert!(plan("plot", "1").refused.is_empty());
}

#[test]
fn one_receiver_that_has_to_stay_keeps_all() {
    let plans = plans(&SEVERAL.replace("queue_size: 25", "queue_size: 25, input_timeout: 1.0"));
    let expected = "node plot receives it with an `input_timeout`, as `late`";
    assert_eq!(why(&plans["camera"], "image"), expected);
    assert_eq!(why(&plans["camera"], "again"), expected);
    assert_eq!(why(&plans["record"], "camera/image"), expected);
    assert_eq!(plans["camera"].outputs.len(), 1);
}

#[test]
fn what_watches_a_dataflow_keeps_it_on_doras_path() {
    let inspected = pair("debug: {enable_debug_inspection: true},", "", "", "");
    assert_refused(&inspected, "the dataflow is run for inspection (`debug`, which `dora topic` needs)");
    let uninspected = plans(&pair("debug: {enable_debug_inspection: false},", "", "", ""));
    assert_eq!(uninspected["from"].outputs.len(), 1);
    for node in ["from", "to"] {
        let mut config = started(&pair("", "", "", "")).remove(node).unwrap();
        config.write_events_to = Some("/tmp/inputs.json".into());
        let plan = Plan::of(&config, &Setting::On);
        assert!(plan.is_empty());
        assert_eq!(plan.refused[0].why, "what the nodes receive is recorded (DORA_WRITE_EVENTS_TO)");
    }
}

#[test]
fn nodes_that_show_signs_of_life_stay() {
    let key = "health_check_timeout: 2.5";
    assert_refused(&pair("", key, "", ""), "node from has a `health_check_timeout`");
    assert_refused(&pair("", "", key, ""), "node to has a `health_check_timeout`");
}

#[test]
fn dynamic_nodes_stay() {
    let yaml = pair("", "", "", "");
    let consumer = plans(&yaml.replace("./to", "dynamic"));
    let expected = "node to is dynamic, so that nobody knows when it comes";
    assert_eq!(why(&consumer["from"], "out"), expected);
    assert_eq!(why(&consumer["to"], "in"), "this node is dynamic, so that nobody knows when it comes");
    let producer = plans(&yaml.replace("./from", "dynamic"));
    assert_eq!(why(&producer["from"], "out"), "this node is dynamic, so that nobody knows when it comes");
    assert_eq!(why(&producer["to"], "in"), "node from is dynamic, so that nobody knows when it comes");
}

#[test]
fn operators_stay_at_either_end() {
    let producer = |operator: &str, source: &str| {
        let yaml = format!(
            "{{nodes: [{{id: from, {operator}}}, {{id: to, path: ./to, inputs: {{in: from/{source}}}}}]}}"
        );
        why(&plans(&yaml)["to"], "in").to_owned()
    };
    let operator = "python: a.py, outputs: [out]";
    assert_eq!(producer(&format!("operator: {{{operator}}}"), "out"), "node from runs operators");
    assert_eq!(producer(&format!("operators: [{{id: a, {operator}}}]"), "a/out"), "node from runs operators");
    let operator = "python: a.py, inputs: {in: {source: from/out, queue_size: 1}}";
    for operator in [format!("operator: {{{operator}}}"), format!("operators: [{{id: a, {operator}}}]")] {
        let yaml =
            format!("{{nodes: [{{id: from, path: ./from, outputs: [out]}}, {{id: runtime, {operator}}}]}}");
        assert_refused(&yaml, "node runtime runs operators");
    }
}

#[test]
fn nodes_on_different_machines_stay() {
    let on = |machine: &str| format!("deploy: {{machine: {machine}}}");
    let expected = "nodes from and to are not deployed to the same machine";
    assert_refused(&pair("", &on("a"), &on("b"), ""), expected);
    assert_refused(&pair("", &on("a"), "", ""), expected);
    assert_refused(&pair("", "", "deploy: {labels: {gpu: 'true'}}", ""), expected);
    for machine in [on("a"), "deploy: {labels: {gpu: 'true'}}".to_owned()] {
        assert_eq!(plans(&pair("", &machine, &machine, ""))["from"].outputs.len(), 1, "{machine}");
    }
    assert_eq!(plans(&pair("", "deploy: {working_dir: /tmp}", "", ""))["from"].outputs.len(), 1);
}

#[test]
fn inputs_that_ask_more_of_dora_stay() {
    let receives = |with: &str| format!("node to receives it with {with}, as `in`");
    assert_refused(&pair("", "", "", "input_timeout: 0.5"), &receives("an `input_timeout`"));
    assert_refused(
        &pair("", "", "", "queue_policy: backpressure"),
        &receives("`queue_policy: backpressure`"),
    );
    assert_refused(
        &pair("", "", "", "queue_size: 1001"),
        &receives("a queue of 1001 messages, and 1000 are the most"),
    );
    let most = plans(&pair("", "", "", "queue_size: 1000, queue_policy: drop_oldest"));
    assert_eq!(most["from"].outputs[0].shape.depth, 1000);
}

#[test]
fn outputs_that_the_daemon_sends_stay() {
    for key in ["send_stdout_as", "send_logs_as"] {
        let expected = format!("the daemon sends on it what node from prints (`{key}`)");
        assert_refused(&pair("", &format!("{key}: out"), "", ""), &expected);
        assert_eq!(plans(&pair("", &format!("{key}: other"), "", ""))["from"].outputs.len(), 1);
    }
}

#[test]
fn what_the_daemon_says_of_an_output_keeps_its_producer() {
    let with_routing = |daemon_only: bool, receivers: &[(&str, &str)]| {
        let mut config = started(&pair("", "", "", "")).remove("from").unwrap();
        let acker = |(node, input): &(&str, &str)| RequiredAcker {
            node_id: node.parse().unwrap(),
            input_id: input.parse().unwrap(),
        };
        let required_ackers = receivers.iter().map(acker).collect();
        let routing = OutputRouting { daemon_only, required_ackers };
        config.output_routing = Some([("out".into(), routing)].into());
        Plan::of(&config, &Setting::On)
    };
    assert_eq!(with_routing(false, &[("to", "in")]).outputs.len(), 1);
    let by_daemon = with_routing(true, &[("to", "in")]);
    assert!(why(&by_daemon, "out").starts_with("dora sends it by the daemon"), "{by_daemon:?}");
    let added = with_routing(false, &[("to", "in"), ("late", "in")]);
    assert_eq!(why(&added, "out"), "node late receives it since the dataflow was changed");
}

#[test]
fn a_node_that_is_not_as_the_dataflow_says_stays() {
    let mut config = started(&pair("", "", "", "")).remove("from").unwrap();
    config.run_config.outputs.insert("more".into());
    let more = Plan::of(&config, &Setting::On);
    assert_eq!(why(&more, "more"), "node from did not have the output more when the dataflow began");
    assert_eq!(more.outputs.len(), 1);

    let mut config = started(&pair("", "", "", "")).remove("to").unwrap();
    config.run_config.inputs.get_mut("in").unwrap().queue_size = Some(1);
    let reconnected = Plan::of(&config, &Setting::On);
    assert_eq!(why(&reconnected, "in"), "it was connected otherwise since the dataflow began");

    config.node_id = "late".parse().unwrap();
    let added = Plan::of(&config, &Setting::On);
    assert_eq!(why(&added, "in"), "the dataflow began without node late");
}

#[test]
fn a_dataflow_that_is_not_told_or_not_understood_keeps_everything() {
    let mut config = started(&pair("", "", "", "")).remove("from").unwrap();
    config.dataflow_descriptor = serde_yaml::Value::Null;
    assert_eq!(why(&Plan::of(&config, &Setting::On), "out"), "dora does not tell what the dataflow is");
    for (yaml, part) in [
        ("{nodes: [], novelty: 1}", "unknown field `novelty`"),
        ("{nodes: [{id: from, module: inner.yml}]}", "must be expanded"),
        ("{nodes: [{id: from, path: a, operator: {python: a.py}}]}", "from"),
    ] {
        config.dataflow_descriptor = serde_yaml::from_str(yaml).unwrap();
        let plan = Plan::of(&config, &Setting::On);
        let why = why(&plan, "out");
        assert!(why.starts_with("the dataflow cannot be read: ") && why.contains(part), "{why}");
    }
}
