/* SPDX-License-Identifier: MIT */
/* The calls of bellwether::Client (client.hpp) for C: C99, no allocation on the caller's side.
 *
 *   bellwether_client* node = bellwether_client_open(NULL);
 *   bellwether_leadership now;
 *   if (bellwether_client_leader(node, &now) == BELLWETHER_OK && now.is_leader) ...
 *   else puts(bellwether_client_error(node));
 *   bellwether_client_close(node);
 *
 * Every call returns a bellwether_result. Texts are cut to fit their buffers and always end in a
 * zero. One client may be used by one thread at a time. */
#ifndef BELLWETHER_CLIENT_CLIENT_H
#define BELLWETHER_CLIENT_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bellwether_client bellwether_client;

typedef enum {
  BELLWETHER_OK = 0,
  BELLWETHER_BAD_INPUT = 1,   /* of the caller: an address that is none, a message too long */
  BELLWETHER_UNREACHABLE = 2, /* no daemon listens there, or the connection broke */
  BELLWETHER_SILENT = 3,      /* the time limit passed without a whole answer */
  BELLWETHER_REFUSED = 4,     /* the node said no; bellwether_client_error has its sentence */
  BELLWETHER_BAD_ANSWER = 5,  /* what answered does not speak as a node does */
  BELLWETHER_NO_MEMORY = 6
} bellwether_result;

enum {
  BELLWETHER_MOST_PAYLOAD = 1024, /* bytes of a message */
  BELLWETHER_MOST_CHAIN = 16,
  BELLWETHER_MOST_NEIGHBOURS = 64
};

/* The answer to "who leads?". */
typedef struct {
  uint64_t id; /* of the node that was asked */
  int has_leader;
  uint64_t leader;     /* 0 if there is none */
  int is_leader;       /* the node that was asked leads */
  char role[16];       /* listening, leading, following, leaderless */
  uint64_t epoch;      /* the fencing token: grows with each change of leader */
  int64_t since_ms;    /* a duration: how long this leader has led, as far as the node knows */
  int64_t age_ms;      /* how old the news from the leader's direction is */
  size_t chain_length; /* of a hierarchy; the first BELLWETHER_MOST_CHAIN are in `chain` */
  uint64_t chain[BELLWETHER_MOST_CHAIN];
} bellwether_leadership;

typedef struct {
  uint64_t id;
  int64_t age_ms;
} bellwether_neighbour;

typedef struct {
  bellwether_leadership leadership;
  char version[32], algorithm[64], group[64];
  int64_t uptime_ms;
  char standing[16]; /* standing (eligible), resigned, paused */
  uint32_t priority;
  int encrypted;
  uint64_t members;
  size_t neighbour_count; /* the first BELLWETHER_MOST_NEIGHBOURS are in `neighbours` */
  bellwether_neighbour neighbours[BELLWETHER_MOST_NEIGHBOURS];
  char interfaces[256]; /* with commas between them */
  char keys[256];       /* with commas between them */
  int64_t slack_ms;
} bellwether_status;

typedef struct {
  uint64_t id;
  uint32_t hops;
  int has_via;
  uint64_t via; /* the neighbour on the way there; 0 if there is none */
  int64_t age_ms;
  uint32_t priority;
  int is_leader;
} bellwether_member;

typedef struct {
  uint64_t sequence; /* 1, 2, 3, ... at the node that was asked */
  char id[64];       /* the same wherever the message arrives */
  uint64_t from;
  char to[16]; /* leader, members */
  int64_t age_ms;
  size_t payload_length;
  unsigned char payload[BELLWETHER_MOST_PAYLOAD];
} bellwether_message;

typedef struct {
  uint64_t number;
  const char* name;                        /* leader, members, message */
  const char* data;                        /* JSON; valid during the callback */
  const bellwether_leadership* leadership; /* of an event `leader`; NULL otherwise */
} bellwether_event;

typedef enum {
  BELLWETHER_WATCH_STOPPED = 0, /* the callback returned 0 */
  BELLWETHER_WATCH_CLOSED = 1,  /* the node ended the stream, or is gone */
  BELLWETHER_WATCH_SILENT = 2   /* nothing at all was heard for too long */
} bellwether_watch_end;

/* Not 0: go on. */
typedef int (*bellwether_watcher)(const bellwether_event* event, void* user);

/* `address`: the path of a Unix socket, "127.0.0.1:7746" or "[::1]:7746"; NULL: $BELLWETHER_SOCKET,
 * or the usual socket of a node. Nobody is asked yet; an address that is none shows with the first
 * call. NULL only when memory is short. */
bellwether_client* bellwether_client_open(const char* address);
void bellwether_client_close(bellwether_client* client); /* NULL is fine */
/* For each call; 5000 at first. */
void bellwether_client_set_limit(bellwether_client* client, int64_t limit_ms);
/* One sentence about the last call that failed; "" if none did. Valid until the next call. */
const char* bellwether_client_error(const bellwether_client* client);

bellwether_result bellwether_client_leader(bellwether_client* client, bellwether_leadership* out);
bellwether_result bellwether_client_status(bellwether_client* client, bellwether_status* out);
/* Fills at most `capacity` rows; `count` says how many there are, which may be more. */
bellwether_result bellwether_client_members(bellwether_client* client, bellwether_member* out,
                                            size_t capacity, size_t* count);

/* Calls back for each event; the first is `leader` and says how things are. Silence of `silence_ms`
 * ends it; 0 stands for 40000. `end` may be NULL. */
bellwether_result bellwether_client_watch(bellwether_client* client, bellwether_watcher watcher,
                                          void* user, int64_t silence_ms,
                                          bellwether_watch_end* end);

/* How things are afterwards is in `out`, which may be NULL. */
bellwether_result bellwether_client_resign(bellwether_client* client, bellwether_leadership* out);
bellwether_result bellwether_client_pause(bellwether_client* client, bellwether_leadership* out);
bellwether_result bellwether_client_resume(bellwether_client* client, bellwether_leadership* out);
bellwether_result bellwether_client_set_priority(bellwether_client* client, uint32_t priority,
                                                 bellwether_leadership* out);

/* `id`: room for 64 bytes, or NULL. */
bellwether_result bellwether_client_to_leader(bellwether_client* client, const void* payload,
                                              size_t length, char* id);
bellwether_result bellwether_client_to_members(bellwether_client* client, const void* payload,
                                               size_t length, char* id);
/* Messages behind number `after`; waits for one for as long as `wait_ms`, at most a minute.
 * Hands over at most `capacity`; `next` is what to pass as `after` to get those that follow. */
bellwether_result bellwether_client_inbox(bellwether_client* client, uint64_t after,
                                          int64_t wait_ms, bellwether_message* out, size_t capacity,
                                          size_t* count, uint64_t* next);

/* The node's JSON as it is, cut to `capacity` with its zero; `length` is that of the whole. */
bellwether_result bellwether_client_get(bellwether_client* client, const char* path, char* out,
                                        size_t capacity, size_t* length);

#ifdef __cplusplus
}
#endif

#endif
