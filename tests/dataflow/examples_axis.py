"""How the axis of cpp-examples/04-move-action moves, by formulas: what the tests of the examples that move it share."""

from harness import check

TOP_SPEED, ACCELERATION, PERIOD, TICKS = 0.25, 0.5, 0.02, 5
# A simulation in steps goes as far ahead of the curve as a step of the acceleration takes it.
STEP = TOP_SPEED * PERIOD / 2 + 1e-6


def trapezoid(distance, time):
    """How far a move over a distance, long enough for the top speed, has got by then."""
    ramp = TOP_SPEED / ACCELERATION
    whole = distance / TOP_SPEED + ramp
    if time < ramp:
        return ACCELERATION * time**2 / 2
    if time < whole - ramp:
        return TOP_SPEED * (time - ramp / 2)
    return distance - ACCELERATION * max(0, whole - time) ** 2 / 2


def check_motion(begin, positions, end):
    """Checks that an axis which begins and ends at rest keeps its limits; positions are each TICKS apart."""
    time = TICKS * PERIOD
    speeds = [0, *(abs(b - a) / time for a, b in zip([begin, *positions], positions))]
    check(max(speeds) <= TOP_SPEED + 1e-9, f"the axis reached {max(speeds)} m/s")
    check(max(abs(b - a) for a, b in zip(speeds, speeds[1:])) <= ACCELERATION * time + 1e-9, f"speeds are {speeds}")
    # Behind the last feedback come TICKS steps at most, all of them slower than the one in front.
    check(abs(end - positions[-1]) <= speeds[-1] * time, f"from {positions[-1]} the axis was at {end} at once")
    check(speeds[-1] <= 2 * ACCELERATION * time, f"the axis came to rest from {speeds[-1]} m/s")


def is_part_of(lines, all_lines):
    """Whether lines are among others in the order of those."""
    rest = iter(all_lines)
    return all(line in rest for line in lines)
