//! Whether, and for which outputs and inputs, the lane is wanted.

use std::collections::BTreeSet;
use std::ffi::OsString;

use dora_message::daemon_to_node::NodeConfig;
use dora_message::id::DataId;

use crate::status::{DORA_ERROR_INIT, Error, Result};

/// Asks for the lane where the options say nothing.
pub const FAST_LANE: &str = "DORA_FAST_LANE";

/// Whether the lane is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Setting {
    #[default]
    Off,
    On,
    /// For these outputs and inputs.
    For(BTreeSet<String>),
}

impl Setting {
    /// What the options say, or else the environment.
    pub fn choose(option: Option<bool>) -> Result<Self> {
        match option {
            Some(true) => Ok(Self::On),
            Some(false) => Ok(Self::Off),
            None => Self::of_variable(std::env::var_os(FAST_LANE)),
        }
    }

    fn of_variable(value: Option<OsString>) -> Result<Self> {
        let Some(value) = value else { return Ok(Self::Off) };
        match value.to_str() {
            Some(text) => Self::parse(text),
            None => Err(refused(format!(
                "{FAST_LANE} is \"{}\", which is not UTF-8: set it to 1, or to a list of ids",
                value.display()
            ))),
        }
    }

    /// Reads the value of `DORA_FAST_LANE`.
    pub fn parse(text: &str) -> Result<Self> {
        match text.trim() {
            "" | "0" => Ok(Self::Off),
            "1" => Ok(Self::On),
            list => list.split(',').map(|id| listed(id.trim(), text)).collect::<Result<_>>().map(Self::For),
        }
    }

    /// Whether the lane is wanted for an output or an input.
    pub fn wants(&self, id: &str) -> bool {
        match self {
            Self::Off => false,
            Self::On => true,
            Self::For(ids) => ids.contains(id),
        }
    }

    /// Checks that each id in a list is one of the node: a slip of the pen would switch the lane off
    /// silently.
    pub fn check(&self, config: &NodeConfig) -> Result<()> {
        let Self::For(ids) = self else { return Ok(()) };
        let run_config = &config.run_config;
        let is_known = |id: &&String| {
            run_config.outputs.contains(id.as_str()) || run_config.inputs.contains_key(id.as_str())
        };
        let Some(unknown) = ids.iter().find(|id| !is_known(id)) else { return Ok(()) };
        let outputs = list(run_config.outputs.iter());
        let inputs = list(run_config.inputs.keys());
        Err(refused(format!(
            "{FAST_LANE} lists \"{unknown}\", but node {} has the outputs {outputs} and the inputs {inputs}: \
             list some of those, or set it to 1 for all and to 0 for none",
            config.node_id
        )))
    }
}

/// An id out of the list `text`.
fn listed(id: &str, text: &str) -> Result<String> {
    match id.parse::<DataId>() {
        Ok(_) => Ok(id.to_owned()),
        Err(error) => Err(refused(format!(
            "{FAST_LANE} is \"{text}\", and in it \"{id}\" is no id: {error}; set it to ids of outputs and \
             inputs with commas between them, or to 1 for all and to 0 for none"
        ))),
    }
}

fn list<'a>(ids: impl Iterator<Item = &'a DataId>) -> String {
    let ids: Vec<String> = ids.map(ToString::to_string).collect();
    if ids.is_empty() { "none".to_owned() } else { ids.join(", ") }
}

fn refused(message: String) -> Error {
    Error::new(DORA_ERROR_INIT, message)
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;

    use super::*;

    fn listing(ids: &[&str]) -> Setting {
        Setting::For(ids.iter().map(|id| (*id).to_owned()).collect())
    }

    #[test]
    fn the_options_go_before_the_environment() {
        assert_eq!(Setting::choose(Some(true)), Ok(Setting::On));
        assert_eq!(Setting::choose(Some(false)), Ok(Setting::Off));
    }

    #[test]
    fn the_variable_is_nothing_or_a_number_or_a_list() {
        for (text, setting) in [
            ("", Setting::Off),
            (" ", Setting::Off),
            ("0", Setting::Off),
            ("1", Setting::On),
            (" 1\n", Setting::On),
            ("image", listing(&["image"])),
            ("image, camera/left ,image", listing(&["camera/left", "image"])),
            ("1,image", listing(&["1", "image"])),
            ("10", listing(&["10"])),
        ] {
            assert_eq!(Setting::parse(text), Ok(setting.clone()), "{text:?}");
            assert_eq!(Setting::of_variable(Some(text.into())), Ok(setting), "{text:?}");
        }
        assert_eq!(Setting::of_variable(None), Ok(Setting::Off));
    }

    #[test]
    fn what_is_no_list_of_ids_is_refused_with_a_sentence() {
        for (text, wrong) in [("image,", "\"\""), ("im age", "\"im age\""), ("a,b//c", "\"b//c\"")] {
            let error = Setting::parse(text).unwrap_err();
            assert_eq!(error.status, DORA_ERROR_INIT);
            for part in [FAST_LANE, &format!("\"{text}\""), &format!("{wrong} is no id"), "to 1 for all"] {
                assert!(error.to_string().contains(part), "{error} has no {part}");
            }
        }
        let error = Setting::of_variable(Some(OsString::from_vec(vec![b'a', 0xff]))).unwrap_err();
        assert_eq!(error.status, DORA_ERROR_INIT);
        assert!(error.to_string().contains("DORA_FAST_LANE is \"a\u{fffd}\", which is not UTF-8"), "{error}");
    }

    #[test]
    fn a_list_wants_what_it_names() {
        let setting = listing(&["image"]);
        assert!(setting.wants("image") && !setting.wants("imag") && !setting.wants("image2"));
        assert!(Setting::On.wants("image") && !Setting::Off.wants("image"));
    }

    fn config(run_config: &serde_json::Value) -> NodeConfig {
        serde_json::from_value(serde_json::json!({
            "dataflow_id": dora_node_api::uuid::Uuid::nil(),
            "node_id": "camera",
            "run_config": run_config,
            "daemon_communication": null,
            "dataflow_descriptor": null,
            "dynamic": false,
            "write_events_to": null,
        }))
        .unwrap()
    }

    #[test]
    fn ids_of_other_nodes_are_refused_with_what_there_is() {
        let node = config(&serde_json::json!({
            "inputs": {"tick": "dora/timer/hz/30"}, "outputs": ["image", "info"]
        }));
        for setting in [Setting::Off, Setting::On, listing(&["image"]), listing(&["info", "tick"])] {
            assert_eq!(setting.check(&node), Ok(()), "{setting:?}");
        }
        let error = listing(&["image", "imgae"]).check(&node).unwrap_err();
        assert_eq!(error.status, DORA_ERROR_INIT);
        assert_eq!(
            error.to_string(),
            "DORA_FAST_LANE lists \"imgae\", but node camera has the outputs image, info and the inputs tick: \
             list some of those, or set it to 1 for all and to 0 for none"
        );
        let error = listing(&["true"]).check(&config(&serde_json::json!({}))).unwrap_err();
        assert!(error.to_string().contains("the outputs none and the inputs none"), "{error}");
    }
}
