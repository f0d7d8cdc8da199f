"""dora's Python interface: reads bytes where they lie, through numpy, as its documentation says."""

import pyarrow  # noqa: F401, which dora would import at the first event
from dora import Node

from bench import Sink

node = Node()
sink = Sink()
for event in node:
    if not sink.event():
        break
    if event["type"] == "INPUT":
        sink.message(event["value"].to_numpy())
sink.end()
