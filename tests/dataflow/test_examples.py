"""The examples of a service and of an action: built and run as they stand, and what comes out is compared with
figures that are computed here."""

import math
import os
import signal

from examples import Example, near, printed, values_of
from examples_axis import PERIOD, STEP, TICKS, check_motion, is_part_of, trapezoid
from harness import check, main, wait_until

SERVICE = ["c-examples/02-plan-service", "cpp-examples/03-plan-client"]
ACTION = ["c-examples/03-move-client", "cpp-examples/04-move-action"]


# The service.

ROUTE = [(2, 0), (3, 1), (3, 3), (2, 4), (2.5, 4), (0, 4), (-1, 3)]
BEHIND = (2.5, 4)


def arc_to(pose, goal):
    """The points of the way to a goal, 0.15 m apart or less, by the centre of the circle."""
    x, y, heading = pose
    dx, dy = goal[0] - x, goal[1] - y
    left = math.cos(heading) * dy - math.sin(heading) * dx
    if abs(left) < 1e-9:
        turn, length = 0, math.hypot(dx, dy)
    else:
        radius = (dx * dx + dy * dy) / (2 * left)
        centre = complex(x, y) + radius * complex(-math.sin(heading), math.cos(heading))
        begin, end = complex(x, y) - centre, complex(*goal) - centre
        turn = math.atan2((end / begin).imag, (end / begin).real)
        length = abs(radius * turn)
    steps = max(1, math.ceil(length / 0.15))
    points = []
    for step in range(steps + 1):
        share = step / steps
        if turn == 0:
            point = complex(x + share * dx, y + share * dy)
        else:
            angle = share * turn
            point = centre + begin * complex(math.cos(angle), math.sin(angle))
        points.append((point.real, point.imag, heading + share * turn))
    return points


def expected_plans():
    """What the client should print, and the trajectories, None for the goal that is refused."""
    pose, lines, trajectories, whole = (0, 0, 0), [], [], 0
    for goal in ROUTE:
        if goal == BEHIND:
            lines.append(f"to ({goal[0]:.1f}, {goal[1]:.1f}): refused, the goal is behind the vehicle")
            trajectories.append(None)
            continue
        points = arc_to(pose, goal)
        length = sum(math.dist(a[:2], b[:2]) for a, b in zip(points, points[1:]))
        whole, pose = whole + length, points[-1]
        lines.append(f"to ({goal[0]:.1f}, {goal[1]:.1f}): {len(points)} points, {length:.3f} m, heading {pose[2]:.3f}")
        trajectories.append([number for point in points for number in point])
    lines.append(f"plan-client: {len(ROUTE) - 1} of {len(ROUTE)} waypoints, {whole:.3f} m")
    return lines, trajectories


def check_service(work, name):
    example = Example(work, name, watch=["client/request", "plan/trajectory"])
    flow = example.run()
    lines, trajectories = expected_plans()
    check(printed(flow, "client") == lines, f"the client printed {printed(flow, 'client')}, not {lines}")
    found = printed(flow, "plan")
    check(found == ["plan-service: 7 requests, 1 refused"], f"the service printed {found}")

    requests, replies = example.seen("client/request"), example.seen("plan/trajectory")
    ids = [[message["parameters"]["request_id"] for message in messages] for messages in (requests, replies)]
    check(ids[0] == ids[1] and len(set(ids[0])) == len(ROUTE), f"the ids of requests and replies are {ids}")
    for request, reply, goal, expected in zip(requests, replies, ROUTE, trajectories):
        check(near(request["values"][3:], goal), f"the request for {goal} is {request['values']}")
        if expected is None:
            error = reply["parameters"].get("error")
            check(reply["values"] == [] and error == "the goal is behind the vehicle", f"refused was by {reply}")
        else:
            check("error" not in reply["parameters"], f"{goal} gave {reply['parameters']}")
            check(near(reply["values"], expected), f"the way to {goal} is {reply['values']}, not {expected}")


def test_service(work):
    check_service(work, SERVICE[0])


def test_service_from_the_folder_of_its_client(work):
    check_service(work, SERVICE[1])


def freeze_service(work, example):
    """Starts the service and stops its process behind the first reply, with time to do so until the next."""
    example.change("millis/100,", "millis/500,")
    flow = example.start()
    wait_until(lambda: printed(flow, "client"), 90, "the client has a plan")
    (process,) = work.processes("plan-service")
    os.kill(process, signal.SIGSTOP)
    # A tick waits by then, so the client asks again at once, and waits when the service is killed.
    line = "no reply in time: asking again at the next tick"
    wait_until(lambda: line in printed(flow, "client"), 30, "the client has waited in vain")
    return flow, process


def test_service_that_is_restarted(work):
    flow, process = freeze_service(work, Example(work, SERVICE[0]))
    os.kill(process, signal.SIGKILL)
    flow.process.wait(60)
    found = printed(flow, "client")
    check("the service was restarted: asking again" in found, f"the client printed {found}")
    plans = [line for line in found if line.startswith(("to ", "plan-client"))]
    check(plans == expected_plans()[0], f"the plans are {plans}")
    check(flow.process.returncode == 0, f"dora run ended with {flow.process.returncode}")


def test_service_that_ends(work):
    example = Example(work, SERVICE[0])
    example.change("    restart_policy: on-failure # its client asks again then\n", "")
    flow, process = freeze_service(work, example)
    os.kill(process, signal.SIGKILL)
    code = flow.process.wait(60)
    check(code != 0, "dora run was a success although the service failed")
    check("plan-client: the service has ended" in flow.output.read_text(), "the client does not tell why it ended")


# The action.

def check_action(work, name):
    example = Example(work, name, watch=["client/goal", "client/cancel", "axis/feedback", "axis/result"])
    flow = example.run()
    goals, cancels = example.seen("client/goal"), example.seen("client/cancel")
    feedback, results = example.seen("axis/feedback"), example.seen("axis/result")
    check(values_of(goals) == [0.5, 0.0], f"the goals are {goals}")
    reached, canceled = (goal["parameters"]["goal_id"] for goal in goals)
    check(reached != canceled, "both goals have one id")
    check([(each["values"], each["parameters"]) for each in cancels] == [([], {"goal_id": canceled})],
          f"called off was {cancels}")
    check([each["parameters"] for each in results] == [{"goal_id": reached, "goal_status": "succeeded"},
                                                       {"goal_id": canceled, "goal_status": "canceled"}],
          f"the results are {results}")

    first, second = (values_of(each for each in feedback if each["parameters"] == {"goal_id": id})
                     for id in (reached, canceled))
    check(len(first) + len(second) == len(feedback), f"feedback is of other goals: {feedback}")
    times = [TICKS * PERIOD * (i + 1) for i in range(24)]
    check(near(first, [trapezoid(0.5, time) for time in times], STEP), f"the first move went by {first}")
    check(values_of(results)[0] == 0.5, f"the first move ended at {values_of(results)[0]}")
    check_motion(0, first, 0.5)
    end = values_of(results)[1]
    check_motion(0.5, second, end)

    told = printed(flow, "client")
    begun, half_way = told.index("to 0.000 m"), told.index("half way: calling it off")
    shown = [told[1 : begun - 1], told[begun + 1 : half_way]]
    ends = [told[0], told[begun - 1], *told[half_way + 1 :]]
    check(ends == ["to 0.500 m", "succeeded at 0.500 m", f"canceled at {end:.3f} m"], f"the client printed {ends}")
    for lines, positions in zip(shown, (first, second)):
        check(lines and is_part_of(lines, [f"at {position:.3f} m" for position in positions]), f"shown was {lines}")
    *before, position = (float(line.split()[1]) for line in shown[1])
    check(position < 0.2505 and min(before) > 0.2495, f"half way was behind {shown[1]}")
    # To brake from the top speed takes 62.5 mm, less what one step makes of it.
    check(0 <= end <= position - 0.0625 + STEP, f"called off at {position}, the second move ended at {end}")
    found = printed(flow, "axis")
    check(found == ["move-action: goals: 1 reached, 1 canceled, 0 aborted"], f"the axis printed {found}")


def test_action(work):
    check_action(work, ACTION[1])


def test_action_from_the_folder_of_its_client(work):
    check_action(work, ACTION[0])


def test_action_whose_server_is_killed(work):
    flow = Example(work, ACTION[1]).start()
    wait_until(lambda: len(printed(flow, "client")) > 3, 90, "the axis moves")
    (process,) = work.processes("move-action")
    os.kill(process, signal.SIGKILL)
    check(flow.process.wait(30) != 0, "dora run was a success although the axis failed")
    check("move-client: the axis has ended" in flow.output.read_text(), "the client does not tell why it ended")


main(
    test_service,
    test_service_from_the_folder_of_its_client,
    test_service_that_is_restarted,
    test_service_that_ends,
    test_action,
    test_action_from_the_folder_of_its_client,
    test_action_whose_server_is_killed,
)
