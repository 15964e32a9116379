/* SPDX-License-Identifier: MIT */
/* Asks the node on this machine who leads, greets the leader, and follows the changes.
 *
 *   client-c [SOCKET]      with a node that runs: bellwether node */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bellwether/client/client.h"

static void print(const bellwether_leadership* now) {
  if (now->has_leader)
    printf("%" PRIu64 " leads with epoch %" PRIu64 "%s\n", now->leader, now->epoch,
           now->is_leader ? ": that is us" : "");
  else
    printf("no leader\n");
  fflush(stdout);
}

static int tell(const bellwether_event* event, void* user) {
  (void)user;
  if (event->leadership != NULL) print(event->leadership);
  return 1; /* go on */
}

int main(int argc, char** argv) {
  const char* hello = "hello from C";
  char id[64];
  bellwether_leadership now;
  bellwether_client* node = bellwether_client_open(argc > 1 ? argv[1] : NULL);
  bellwether_result result = bellwether_client_leader(node, &now);

  if (result == BELLWETHER_OK) {
    print(&now);
    if (now.has_leader) {
      result = bellwether_client_to_leader(node, hello, strlen(hello), id);
      if (result == BELLWETHER_OK) printf("sent: %s\n", id);
    }
  }
  /* Ends when the node does. */
  if (result == BELLWETHER_OK) result = bellwether_client_watch(node, tell, NULL, 0, NULL);

  if (result != BELLWETHER_OK) fprintf(stderr, "%s\n", bellwether_client_error(node));
  bellwether_client_close(node);
  return result == BELLWETHER_OK ? 0 : 2;
}
