"""What the dataflow does not declare is refused: outputs, and types of outputs where the check is on."""

from harness import check, main, node

FORMS = ["empty", "bytes", "values", "text", "arrow"]


def run_sender(work, output, outputs, types=None, **env):
    """Sends in every form on an output, then a text on "right"; returns what each form gave, and what arrived."""
    # Over the daemon, since the direct way drops what comes too fast, and may lose the last message of a node.
    source = {"source": "feeder/out", "queue_policy": "backpressure"}
    inputs = {each: {"source": f"sender/{each}", "queue_policy": "backpressure"} for each in outputs}
    work.run(
        [
            node("feeder", "feeder", outputs=["out"], env={"DORA_TEST_COUNT": 1, "DORA_TEST_ENDS": 1}),
            node("sender", "sender", inputs={"in": source}, outputs=outputs,
                 env={"DORA_TEST_OUTPUT": output, **env}, **({"output_types": types} if types else {})),
            node("tally", "tally", inputs=inputs),
        ],
        timeout=30,
    )
    check(work.report("sender", "unreleased") == [], "a send that failed did not take the Arrow structures")
    check(work.only("sender", "good") == "DORA_OK", f"a good send afterwards gave {work.only('sender', 'good')}")
    received = work.report("tally", "input")
    # dora takes inputs in turn, so it may stand anywhere.
    check("right u 1 still usable" in received, f"a good message afterwards did not arrive: {received}")
    received.remove("right u 1 still usable")
    return {form: work.only("sender", form) for form in FORMS}, received


def check_all(results, status, *words):
    for form, result in results.items():
        check(result.split(" ")[0] == status, f"{form} gave {result}, not {status}")
        for word in words:
            check(word in result, f"the sentence behind {form} does not name {word!r}: {result}")


def test_an_undeclared_output(work):
    results, received = run_sender(work, "wrong", ["right", "other"])
    print(f"        {results['text']}")
    check_all(results, "DORA_ERROR_UNKNOWN_OUTPUT", "wrong", "other, right", "sender")
    check(received == [], f"a refused message was received: {received}")


def test_an_invalid_id(work):
    results, _ = run_sender(work, "two words", ["right"])
    print(f"        {results['text']}")
    check_all(results, "DORA_ERROR_INVALID_ID", "two words")


def check_types(work, declared, fitting):
    """Every form but the fitting one, and the empty one, which dora lets through, is refused."""
    results, received = run_sender(work, "typed", ["right", "typed"], {"typed": f"std/core/v1/{declared}"},
                                   DORA_RUNTIME_TYPE_CHECK="error")
    print(f"        {declared}: {results['text']}")
    accepted = [form for form, result in results.items() if result == "DORA_OK"]
    check(accepted == ["empty", fitting], f"{declared} was declared, and taken were {accepted}: {results}")
    check_all({form: result for form, result in results.items() if form not in accepted},
              "DORA_ERROR_TYPE_MISMATCH", "typed", declared)
    check(len(received) == 2, f"received was {received}")


def test_a_declared_type_of_bytes(work):
    check_types(work, "UInt8", "bytes")


def test_a_declared_type_of_numbers(work):
    check_types(work, "Float32", "values")


def test_a_declared_type_through_arrow(work):
    check_types(work, "Int32", "arrow")


def test_a_declared_type_without_the_check(work):
    results, received = run_sender(work, "typed", ["right", "typed"], {"typed": "std/core/v1/Float32"})
    check_all(results, "DORA_OK")
    check(len(received) == len(FORMS), f"received was {received}")


main(
    test_an_undeclared_output,
    test_an_invalid_id,
    test_a_declared_type_of_bytes,
    test_a_declared_type_of_numbers,
    test_a_declared_type_through_arrow,
    test_a_declared_type_without_the_check,
)
