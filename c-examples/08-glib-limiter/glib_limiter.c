/*
 * A limiter: one GLib main loop over dora's events and a file with the limit, which may change at any time.
 *
 * What one sees when it runs: a line in the log for each change of the file, such as
 *
 *     the limit is 1.1
 *     the limit is 0.5
 *     the limit stays 0.5: Key file does not have key “value” in group “limits”
 *
 *   input  value      one float64
 *   output limited    the nearest within the limit to both sides of 0, with the metadata that came with the
 *                     value
 *
 *   LIMITS_FILE       a key file of GLib: [limits], value = a number above 0
 */
#include <dora/dora.h>

#include <gio/gio.h>
#include <glib-unix.h>
#include <math.h>
#include <stdlib.h>

struct limiter {
    dora_node_t *node;
    const char *path; /* where the limit is … */
    double limit;     /* … and what it is; 0, so that nothing gets through, until it is known */
    GMainLoop *loop;
    guint watch; /* of dora's descriptor; 0: none */
    gboolean good;
};

static gboolean failed(const char *action, dora_status_t status) {
    g_printerr("glib-limiter: %s: %s: %s\n", action, dora_status_name(status), dora_last_error());
    return FALSE;
}

/* The limit. */

static gboolean read_limit(const char *path, double *limit, GError **error) {
    g_autoptr(GKeyFile) file = g_key_file_new();
    GError *wrong = NULL;
    if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, error))
        return FALSE;
    const double value = g_key_file_get_double(file, "limits", "value", &wrong);
    if (wrong != NULL) {
        g_propagate_error(error, wrong);
        return FALSE;
    }
    if (!(isfinite(value) && value > 0)) {
        g_set_error(error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE, "%g is no limit", value);
        return FALSE;
    }
    *limit = value;
    return TRUE;
}

/* Takes the limit from the file, or leaves it as it is, and logs which. */
static gboolean renew_limit(struct limiter *limiter) {
    g_autoptr(GError) error = NULL;
    g_autofree char *line = NULL;
    const gboolean is_new = read_limit(limiter->path, &limiter->limit, &error);
    if (is_new)
        line = g_strdup_printf("the limit is %g", limiter->limit);
    else
        line = g_strdup_printf("the limit stays %g: %s", limiter->limit, error->message);
    dora_status_t status = dora_node_log(limiter->node, is_new ? DORA_LOG_INFO : DORA_LOG_WARN, line);
    return status == DORA_OK || failed("writing to the log", status);
}

static void end(struct limiter *limiter, gboolean good) {
    limiter->good = good;
    g_main_loop_quit(limiter->loop);
}

static void on_file(GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event,
                    gpointer data) {
    (void)monitor;
    (void)file;
    (void)other;
    /* This one comes when a file was written and closed, or has taken the place of another. */
    if (event != G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT)
        return;
    if (!renew_limit(data))
        end(data, FALSE);
}

/* What comes from dora. */

static gboolean on_value(struct limiter *limiter, const dora_event_t *event) {
    const double *values;
    size_t length;
    dora_status_t status = dora_event_float64(event, &values, &length);
    if (status != DORA_OK)
        return failed("reading a value", status);
    if (length != 1 || isnan(values[0])) /* what is no number is in no limits */
        return TRUE;
    const double limited = CLAMP(values[0], -limiter->limit, limiter->limit);
    status = dora_node_send_values(limiter->node, "limited", DORA_TYPE_FLOAT64, &limited, 1,
                                   dora_event_metadata(event));
    return status == DORA_OK || failed("sending a value", status);
}

static gboolean on_event(struct limiter *limiter, const dora_event_t *event) {
    switch (dora_event_kind(event)) {
    case DORA_EVENT_INPUT:
        return on_value(limiter, event);
    case DORA_EVENT_ERROR:
        g_printerr("glib-limiter: %s\n", dora_event_message(event));
        return FALSE;
    default: /* a stop needs nothing: what was queued still comes, then the reads are closed */
        return TRUE;
    }
}

/* The rule of dora's descriptor: when it is readable, read until nothing is left. */
static gboolean on_dora(gint fd, GIOCondition condition, gpointer data) {
    struct limiter *limiter = data;
    dora_event_t *event;
    dora_status_t status;
    gboolean good = TRUE;
    (void)fd;
    (void)condition;
    while (good && (status = read_dora_event(limiter->node, 0, &event)) == DORA_OK) {
        good = on_event(limiter, event);
        dora_event_free(event);
    }
    if (status < 0)
        good = failed("reading an event", status);
    if (good && status != DORA_CLOSED)
        return G_SOURCE_CONTINUE;
    end(limiter, good);
    limiter->watch = 0;
    return G_SOURCE_REMOVE; /* what is closed is readable for ever */
}

/* The loop. */

static gboolean serve(struct limiter *limiter) {
    g_autoptr(GFile) file = g_file_new_for_path(limiter->path);
    g_autoptr(GError) error = NULL;
    gint fd;
    /* Watched before it is read, so that no change falls in between. */
    g_autoptr(GFileMonitor) monitor = g_file_monitor_file(file, G_FILE_MONITOR_NONE, NULL, &error);
    if (monitor == NULL) {
        g_printerr("glib-limiter: %s: %s\n", limiter->path, error->message);
        return FALSE;
    }
    dora_status_t status = dora_node_event_fd(limiter->node, &fd);
    if (status != DORA_OK)
        return failed("getting dora's descriptor", status);

    limiter->loop = g_main_loop_new(NULL, FALSE);
    limiter->watch = g_unix_fd_add(fd, G_IO_IN, on_dora, limiter);
    g_signal_connect(monitor, "changed", G_CALLBACK(on_file), limiter);
    if (renew_limit(limiter))
        g_main_loop_run(limiter->loop);
    g_clear_handle_id(&limiter->watch, g_source_remove); /* before the node, which closes the descriptor */
    g_main_loop_unref(limiter->loop);
    return limiter->good;
}

int main(void) {
    struct limiter limiter = {.path = g_getenv("LIMITS_FILE")};
    gboolean good = FALSE;
    if (limiter.path == NULL) {
        g_printerr("glib-limiter: LIMITS_FILE is not set; the dataflow's env sets it\n");
        return EXIT_FAILURE;
    }
    dora_status_t status = dora_node_init(&limiter.node);
    if (status == DORA_OK)
        good = serve(&limiter);
    else
        failed("joining the dataflow", status);
    dora_node_free(limiter.node);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
