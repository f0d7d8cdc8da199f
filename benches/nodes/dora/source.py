"""dora's Python interface: writes bytes where they are sent from, through numpy, as its documentation says."""

import struct

import numpy
from dora import Node

from bench import Source, now

node = Node()
source = Source()
while source.next():
    begin = now()
    with node.send_output_raw("data", source.size) as buffer:
        message = numpy.frombuffer(buffer, numpy.uint8)
        message.fill(source.number & 0xFF)
        struct.pack_into("=q", message, 0, begin)
        del message
source.end()
