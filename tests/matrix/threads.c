/*
 * Threads of one PHP that really run at once: each serves requests of its own, as a threaded web server's would.
 *
 *   threads PHP.INI SCRIPT-FILE THREADS REQUESTS
 *
 * The script's text is run in each request with $thread and $request set, between two barriers, so that all threads are
 * inside a request at the same time; it returns null when all is well, else what is wrong. In the end it runs once more in
 * the main thread with $thread = -1 and $request = the number of threads, to look at the sums. Exit code 0: all was well.
 */
#include <pthread.h>
#include <sapi/embed/php_embed.h>
#include <stdatomic.h>

static char *script;
static int threads, requests;
static pthread_barrier_t all_inside, all_done;
static atomic_int failures;

/* Runs the script in the request that this thread has begun. */
static void run(int thread, int request)
{
	zval answer;
	char *code;

	ZVAL_UNDEF(&answer);
	spprintf(&code, 0, "(function (int $thread, int $request) {\n%s\n})(%d, %d)", script, thread, request);
	zend_first_try {
		if (zend_eval_string_ex(code, &answer, "threads.php", true) != SUCCESS) {
			atomic_fetch_add(&failures, 1);
		} else if (Z_TYPE(answer) != IS_NULL) {
			zend_string *said = zval_get_string(&answer);
			fprintf(stderr, "thread %d, request %d: %s\n", thread, request, ZSTR_VAL(said));
			zend_string_release(said);
			atomic_fetch_add(&failures, 1);
		}
	} zend_catch {
		fprintf(stderr, "thread %d, request %d: bailed out\n", thread, request);
		atomic_fetch_add(&failures, 1);
	} zend_end_try();
	zval_ptr_dtor(&answer);
	efree(code);
}

static void *serve(void *number)
{
	int thread = (int)(intptr_t)number;

	(void)ts_resource(0);
	for (int request = 0; request < requests; request++) {
		if (php_request_startup() != SUCCESS) {
			fprintf(stderr, "thread %d: no request\n", thread);
			abort();
		}
		pthread_barrier_wait(&all_inside);
		run(thread, request);
		pthread_barrier_wait(&all_done);
		php_request_shutdown(NULL);
	}
	ts_free_thread();
	return NULL;
}

int main(int argc, char **argv)
{
	FILE *file;
	size_t length;
	pthread_t *ids;

	if (argc != 5 || !(file = fopen(argv[2], "r"))) {
		fprintf(stderr, "usage: threads PHP.INI SCRIPT-FILE THREADS REQUESTS\n");
		return 2;
	}
	script = calloc(1, 1 << 20);
	length = fread(script, 1, (1 << 20) - 1, file);
	fclose(file);
	threads = atoi(argv[3]);
	requests = atoi(argv[4]);
	if (length == 0 || threads < 1 || requests < 1) {
		return 2;
	}
	php_embed_module.php_ini_path_override = argv[1];
	if (php_embed_init(1, argv) != SUCCESS) {
		return 1;
	}
	php_request_shutdown(NULL);

	ids = calloc(threads, sizeof *ids);
	pthread_barrier_init(&all_inside, NULL, threads);
	pthread_barrier_init(&all_done, NULL, threads);
	for (int thread = 0; thread < threads; thread++) {
		if (pthread_create(&ids[thread], NULL, serve, (void *)(intptr_t)thread) != 0) {
			abort();
		}
	}
	for (int thread = 0; thread < threads; thread++) {
		pthread_join(ids[thread], NULL);
	}

	php_request_startup();
	run(-1, threads);
	php_embed_shutdown();
	printf("%d threads, %d requests each: %d failed\n", threads, requests, (int)failures);
	return failures ? 1 : 0;
}
