# SPDX-License-Identifier: MIT
# mutant(NAME CLASS FILE... IN FILE FROM TEXT TO TEXT): copies the named files of an algorithm into
# a namespace of their own, with one place changed, and makes an algorithm of the copy, which
# mutants() lists. What they are searched with, and that they are caught, is in mutants_test.cpp.
# The place must be in its file once: a fault that is nowhere would be found by nobody. Files that
# are not named are not copied: the mutant uses those of the original.
#
# Most of what a mutant costs to compile is what searches, codec and printer make of its type. Where
# a search says nothing, that is left out:
#   HAND   a mutant of `drumbeat` that is only moved by hand, in by_hand_test.cpp: the original
#          stands in for what it lacks (stand_in.hpp).
#   PART   the class is a part of an election: handovers() lists it, and handovers_test.cpp tells
#          what it does beside the original.
set(mutant_folder ${CMAKE_CURRENT_BINARY_DIR}/mutants)
set(mutant_sources "")
set(mutants_declared "")
set(mutants_listed "")
set(parts_included "")
set(parts_listed "")

function(mutant name class)
  cmake_parse_arguments(PARSE_ARGV 2 arg "PART;HAND" "IN;FROM;TO" "")
  set(algorithms ${PROJECT_SOURCE_DIR}/src/bellwether/algorithms)
  set(folder ${mutant_folder}/${name})
  set(included "")
  set(changed FALSE)
  foreach(stem ${arg_UNPARSED_ARGUMENTS})
    file(GLOB paths ${algorithms}/${stem}.[hc]pp ${algorithms}/*/${stem}.[hc]pp)
    if(NOT paths)
      message(FATAL_ERROR "mutant ${name}: there is no ${stem}.hpp and no ${stem}.cpp")
    endif()
    foreach(path ${paths})
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
      get_filename_component(file ${path} NAME)
      file(READ ${path} text)
      if(file STREQUAL arg_IN)
        string(FIND "${text}" "${arg_FROM}" first)
        string(FIND "${text}" "${arg_FROM}" last REVERSE)
        if(first EQUAL -1 OR NOT first EQUAL last)
          message(FATAL_ERROR "mutant ${name}: \"${arg_FROM}\" is not once in ${file}")
        endif()
        string(REPLACE "${arg_FROM}" "${arg_TO}" text "${text}")
        set(changed TRUE)
      endif()
      string(REPLACE "namespace bellwether::algorithms {"
        "namespace bellwether::algorithms::mutants::${name} {" text "${text}")
      if("knowledge_sync" IN_LIST arg_UNPARSED_ARGUMENTS)
        string(REPLACE " = algorithms::" " = mutants::${name}::" text "${text}")
      endif()
      if(arg_PART OR arg_HAND)  # half the time of such a class goes into a tuple that nobody reads
        string(REGEX REPLACE "static constexpr auto fields =[ \n]*std::tuple{core::field\\([^;]*;"
          "" text "${text}")
        string(REGEX REPLACE "static_assert\\(core::Protocol[^;]*;" "" text "${text}")
      endif()
      foreach(own ${arg_UNPARSED_ARGUMENTS})
        string(REGEX REPLACE "\"bellwether/algorithms/([a-z]+/)?${own}\\.hpp\""
          "\"mutants/${name}/${own}.hpp\"" text "${text}")
      endforeach()
      file(CONFIGURE OUTPUT ${folder}/${file} @ONLY CONTENT "${text}")
      if(file MATCHES "cpp$")
        string(APPEND included "#include \"mutants/${name}/${file}\"\n")
      endif()
    endforeach()
  endforeach()
  if(NOT changed)
    message(FATAL_ERROR "mutant ${name}: ${arg_IN} is none of its files")
  endif()
  if(arg_PART)
    set(parts_included "${parts_included}${included}" PARENT_SCOPE)
    set(parts_listed "${parts_listed}      {\"${name}\", "
      "tell_story<algorithms::mutants::${name}::${class}>},\n")
    string(CONCAT parts_listed ${parts_listed})
    set(parts_listed "${parts_listed}" PARENT_SCOPE)
    return()
  endif()
  set(kind ${class})
  set(make core::algorithm_of)
  set(most 8)
  if(arg_HAND)
    set(kind ${class}ByHand)
    set(make moved_by_hand)
    set(most 16)
  endif()
  # Several in one unit: most of the time goes into what all of them include.
  get_property(of_kind GLOBAL PROPERTY mutants_of_${kind})
  list(LENGTH of_kind before)
  math(EXPR number "${before} / ${most}")
  set_property(GLOBAL APPEND PROPERTY mutants_of_${kind} ${name})
  set_property(GLOBAL APPEND PROPERTY mutant_units ${kind}_${number})
  set_property(GLOBAL APPEND_STRING PROPERTY mutants_included_${kind}_${number} "${included}")
  string(CONCAT made "core::Algorithm mutant_${name}() {\n"
    "  return ${make}<algorithms::mutants::${name}::${class}>();\n}\n")
  set_property(GLOBAL APPEND_STRING PROPERTY mutants_made_${kind}_${number} "${made}")
  set(mutants_declared "${mutants_declared}core::Algorithm mutant_${name}();\n" PARENT_SCOPE)
  set(mutants_listed "${mutants_listed}      {\"${name}\", mutant_${name}()},\n" PARENT_SCOPE)
endfunction()

# Rings.
mutant(worst_token_wins ChangRoberts chang_roberts IN chang_roberts.cpp
  FROM "!better(extremum_, token.id, id_)" TO "better(extremum_, token.id, id_)")
mutant(swallows_tokens ChangRoberts chang_roberts IN chang_roberts.cpp
  FROM "step.send(clockwise(step), token);" TO "")
mutant(takes_credit ChangRoberts chang_roberts IN chang_roberts.cpp
  FROM "pass_news(step, std::get<Leader>(message), id_, leader_);"
  TO "leader_ = id_; step.send(clockwise(step), std::get<Leader>(message));")
mutant(worst_seen_wins LeLann lelann IN lelann.cpp
  FROM "if (better(extremum_, token.id, best_))" TO "if (!better(extremum_, token.id, best_))")
mutant(late_candidate LeLann lelann IN lelann.cpp
  FROM "if (state_ == State::sleep) state_ = State::lost;" TO "")

mutant(refuses_the_better HirschbergSinclair hirschberg_sinclair IN hirschberg_sinclair.cpp
  FROM "initiator_ && !beaten_by(probe.id)" TO "initiator_ && beaten_by(probe.id)")
mutant(forgets_early_bids Franklin franklin IN franklin.cpp
  FROM "if (early_) step.send(onward(step, side_), Bid{*early_});" TO "")
mutant(never_turns Alternate alternate IN alternate.cpp
  FROM "clockwise_ = !clockwise_;" TO "")
mutant(overlooks_its_equal ItaiRodeh itai_rodeh IN itai_rodeh.cpp
  FROM "if (other == mine) token.bit = false;" TO "")
mutant(sleeps_on Clockwise clockwise IN clockwise.cpp
  FROM "if (!t_ && options_.woken == Woken::joins) initialise(step);" TO "")
mutant(elects_the_outdone Peterson peterson IN peterson.cpp
  FROM "ntid == id_ && initiator_ && !outdone_" TO "ntid == id_ && initiator_")
mutant(keeps_the_smaller DolevKlaweRodeh dolev_klawe_rodeh IN dolev_klawe_rodeh.cpp
  FROM "if (beats(m1.id, *max_)) {" TO "if (beats(*max_, m1.id)) {")
mutant(lets_relays_win HighamPrzytycka higham_przytycka IN higham_przytycka.cpp
  FROM "initiator_ && better(extremum_, id_, best) ? id_ : best"
  TO "better(extremum_, id_, best) ? id_ : best")

# Any network.
mutant(initiates_late EchoExtinction echo_extinction IN echo_extinction.cpp
  FROM "if (wave_ || leader_) return;" TO "if (initiator_) return;")
mutant(answers_too_soon Ghs ghs IN ghs.cpp
  FROM "if (m.level > level_) return false;" TO "")
mutant(names_itself_root BfsTreeAsync bfs_tree_async tree_node IN tree_node.hpp
  FROM "Invite{*leader_, level_ + 1}" TO "Invite{id_, level_ + 1}")

# Complete networks.
mutant(leader_keeps_silent Bully bully IN bully.cpp
  FROM "if (leader_ == id_) return step.send(port, Leader{});\n  // A node that asks us"
  TO "if (leader_ == id_) return;\n  // A node that asks us")
mutant(asks_the_smaller Bully bully IN bully.cpp
  FROM "if (step.peer(port) < id_) continue;" TO "if (step.peer(port) > id_) continue;")
mutant(captures_after_a_defeat Humblet humblet IN humblet.cpp
  FROM "state_ = State::stopped;" TO "if (state_ == State::asleep) state_ = State::stopped;")
mutant(dies_by_anybody AfekGafni afek_gafni IN afek_gafni.cpp
  FROM "else if (dies_by(capture.by))" TO "else")
mutant(does_not_tell_its_sons KorachMoranZaks korach_moran_zaks IN korach_moran_zaks.cpp
  FROM "if (state_ == State::citizen) return tell(step, port);"
  TO "if (state_ == State::citizen) return;")

# Networks that change.
mutant(weakest_leads Flooding flooding IN flooding.cpp
  FROM "return rank(news) > rank(leader_);" TO "return rank(news) < rank(leader_);")
mutant(passes_nothing_on Flooding flooding IN flooding.cpp
  FROM "if (step.ports().size() > 1) step.broadcast(news);" TO "")
mutant(hears_old_beats GomezCalzado gomez_calzado IN gomez_calzado.cpp
  FROM "m.beat <= leader_.beat" TO "m.beat >= leader_.beat")
mutant(beats_once GomezCalzado gomez_calzado IN gomez_calzado.cpp
  FROM "if (leads()) speak(step);" TO "")
set(drumbeat drumbeat drumbeat_options drumbeat_properties drumbeat_unused)  # as searches need it
mutant(falls_silent Drumbeat ${drumbeat} IN drumbeat.cpp
  FROM "if (state_ == State::leads) speak(step);" TO "")
mutant(never_misses_its_leader Drumbeat ${drumbeat} IN drumbeat.cpp
  FROM "if (state_ == State::follows) on_silence(step);" TO "")
mutant(waits_for_its_deputy Drumbeat ${drumbeat} IN drumbeat.cpp
  FROM "if (state_ == State::hopes) lead(step, tree_.report().count);" TO "")
mutant(prefers_the_lower_rank Drumbeat ${drumbeat} IN drumbeat.cpp
  FROM "return rank_of(claim) > rank_of(claim_);" TO "return rank_of(claim) < rank_of(claim_);")
mutant(weight_falls_in_a_window Drumbeat ${drumbeat} drumbeat_handover IN drumbeat_handover.cpp
  FROM "peak_ = std::max(peak_, count);" TO "peak_ = before_ = count;")
mutant(hands_over_to_the_farther Drumbeat ${drumbeat} drumbeat_handover IN drumbeat_handover.cpp
  FROM "!is_complete(all) || all.trial_far >= all.far"
  TO "!is_complete(all) || all.trial_far == all.far")
# Of these a search says nothing: the next beat or wave makes up for them, or they need a priority.
# The first one is no mutant: it shows that what the others do differently is due to their faults.
mutant(changes_nothing Drumbeat HAND drumbeat drumbeat_messages drumbeat_seen drumbeat_tree
  drumbeat_handover IN drumbeat.cpp
  FROM "if (state_ == State::leads) speak(step);" TO "if (state_ == State::leads) speak(step);")
mutant(never_gives_way Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "return rank_of(claim) > rank_of(claim_);"
  TO "return state_ != State::leads && rank_of(claim) > rank_of(claim_);")
mutant(passes_no_wave_on Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "step.broadcast(WaveBeat{claim_, news_, tree_.spot()});\n    begin_echo(step);\n  } else if"
  TO "begin_echo(step);\n  } else if")
mutant(accepts_a_beat_twice Drumbeat ${drumbeat} IN drumbeat.cpp
  FROM "is_later(claim.beat, seen_.last(claim.leader))"
  TO "claim.beat >= seen_.last(claim.leader)")
mutant(forgets_what_it_accepted Drumbeat ${drumbeat} IN drumbeat.cpp
  FROM "seen_.add(claim.leader, claim.beat);" TO "")
mutant(chooses_a_child_as_parent Drumbeat HAND drumbeat drumbeat_tree drumbeat_handover
  IN drumbeat_tree.cpp
  FROM "near.leader != leader_ || near.spot.parent == self_ || !is_in_tree"
  TO "near.leader != leader_ || !is_in_tree")
mutant(answers_nobody Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "answered_ = true;\n  step.arm(Timer::answer, core::Duration{0}, options_.jitter);"
  TO "(void)step, answered_ = true;")
mutant(calls_nobody Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "called_ = true;\n      repeat_claim(step);" TO "(void)step, called_ = true;")
mutant(deputy_does_not_succeed Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "if (news_.deputy == id_) return succeed(step);" TO "")
mutant(heir_keeps_the_rank Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "claim_.weight() + (id_ < claim_.leader ? 1 : 0)" TO "claim_.weight()")
mutant(heir_declines Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "if (news_.has_heir() && news_.trial == id_ && priority_ > 0) return succeed(step);" TO "")
mutant(one_witness_is_enough Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "needed_witnesses = 2" TO "needed_witnesses = 1")
mutant(leaf_never_speaks Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "copies_ < quiet_copies || !tree_.is_leaf()" TO "!tree_.is_leaf()")
mutant(leaf_always_speaks Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "copies_ < quiet_copies || !tree_.is_leaf()" TO "true")
mutant(retires_and_leads Drumbeat ${drumbeat} IN drumbeat.cpp
  FROM "state_ = State::idle;" TO "state_ = State::leads;")
mutant(priority_is_ignored Drumbeat HAND drumbeat drumbeat_messages drumbeat_tree drumbeat_handover
  IN drumbeat_messages.hpp
  FROM "return {claim.priority(), claim.weight(), claim.leader};"
  TO "return {0, claim.weight(), claim.leader};")
mutant(begins_at_zero Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "beats_ = std::max(beats_, static_cast<std::uint64_t>(std::max<std::int64_t>(clock, 0)));"
  TO "static_cast<void>(clock);")
mutant(forgets_its_earlier_life Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "is_later(claim.beat, beats_)" TO "is_later(claim.beat, claim.beat)")
mutant(mute_leader_stays Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "if (state_ == State::leads && unheard_ >= mute_beats) return true;" TO "")
mutant(waits_for_who_is_gone Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "tree_.lose(step.peer(port));" TO "static_cast<void>(port);")
mutant(alone_and_heavy Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "handover_.on_alone();" TO "")
mutant(stays_impatient Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "patience_.on_late_beat(times());" TO "")
mutant(never_lenient Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "if (missed_) lenience_ = options_.taps + 1;" TO "")
mutant(resigns_without_an_heir Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "if (handover_.give_way(tree_, news_, priority)) {" TO "if (false) {")
mutant(echoes_nothing Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "step.broadcast(Echo{news_.wave, tree_.spot().parent, tree_.report()});" TO "(void)step;")
mutant(passes_a_wave_on_as_a_beat Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "if (relayed_) step.arm(Timer::relay, core::Duration{0}, options_.jitter);" TO "")
mutant(names_a_second_heir Drumbeat ${drumbeat} drumbeat_handover IN drumbeat_handover.cpp
  FROM "if (news.has_heir()) return true;" TO "")
mutant(leads_without_an_heir Drumbeat ${drumbeat} IN drumbeat.cpp
  FROM "if (priority_ == 0 && !news_.has_heir()) retire(step);" TO "")
mutant(reminds_nobody Drumbeat HAND drumbeat IN drumbeat.cpp
  FROM "if (is_reborn(claim)) return remind(step, claim);" TO "")
mutant(remembers_one_leader Drumbeat HAND drumbeat drumbeat_seen IN drumbeat_seen.hpp
  FROM "most = 16;" TO "most = 1;")
# Rules of a leader, one by one.
mutant(never_tries_the_median BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "if (turn_ % 4 == 0) return median_;"
  TO "if (turn_ % 4 == 0) return nobody;")
mutant(never_tries_the_hub BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "if (turn_ % 4 == 1 || (turn_ % 4 == 3 && !is_calm)) return hub_;"
  TO "if (turn_ % 4 == 1) return nobody;")
mutant(never_tries_a_child BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "lighter-- == 0"
  TO "lighter-- == 1000")
mutant(tries_before_it_knows BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "complete_ < settling || count_ < 3"
  TO "count_ < 3")
mutant(one_win_is_enough BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "confirmed = 2;"
  TO "confirmed = 1;")
mutant(waits_for_its_heir_forever BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "if (tried_ >= heir_waves) next_trial"
  TO "if (tried_ >= 1000) next_trial")
mutant(ignores_the_tenure BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "gained * 100 * std::min(led, options.tenure)"
  TO "gained * 100 * (void(led), options.tenure)")
mutant(ignores_the_gain BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "std::uint64_t{options.gain} * all.count"
  TO "std::uint64_t{0} * all.count")
mutant(ignores_the_share BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "gained * 8 >= all.far && gained"
  TO "gained")
mutant(asks_for_much_in_calm BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "gained * 50 * 64 >="
  TO "gained * 3 * 64 >=")
mutant(asks_for_nothing_in_calm BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "gained * 50 * 64 >="
  TO "gained * 330 * 64 >=")
mutant(changes_its_deputy BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "2 * present->report.count >= best->report.count"
  TO "present == best")
mutant(ignores_priorities_of_deputies BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "child->spot.priority > best->spot.priority"
  TO "false")
mutant(judges_by_a_part BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "std::uint64_t{all.count} * 10 >="
  TO "std::uint64_t{all.count} * 1000 >=")
mutant(forgets_its_weight_at_once BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "window = 10;"
  TO "window = 1;")
mutant(looks_for_no_corner BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "calm_for_corners = 3;"
  TO "calm_for_corners = 3000;")
mutant(looks_for_one_corner BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "++corners_ < corners"
  TO "++corners_ < 1")
mutant(measures_no_corner BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "tried_ < corner_waves"
  TO "tried_ < 1")
mutant(has_no_runner_up BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "  runner_up_ = trial;"
  TO "  (void)trial;")
mutant(tries_forever BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "failed_ < turns && news"
  TO "news")
mutant(heeds_the_ineligible BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "all.top == priority && all.best"
  TO "all.best")
mutant(ignores_higher_priorities BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "if (all.top > priority && all.candidate"
  TO "if (false && all.candidate")
mutant(gives_way_to_its_like BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "child->spot.priority <= priority"
  TO "child->spot.priority < priority")
mutant(keeps_a_depth BeatHandover drumbeat_handover PART IN drumbeat_handover.cpp
  FROM "news.depth - (news.depth + 7) / 8"
  TO "news.depth")
mutant(joins_the_lower Vasudevan vasudevan IN vasudevan.cpp
  FROM "if (m.index > index_) return join" TO "if (m.index < index_) return join")
mutant(no_ack_to_a_second_parent Vasudevan vasudevan IN vasudevan.cpp
  FROM "} else if (parent_ != port) {\n    step.send(port, Ack{m.index, std::nullopt});"
  TO "} else if (parent_ != port) {")
mutant(sink_as_printed Height height height_properties IN height.cpp  # H-1
  FROM "return self_.lp.lid != self_.id" TO "return self_.lp.lid == self_.id")
mutant(older_leaders_unanswered Height height height_properties IN height.cpp  # H-2
  FROM "answer = true;" TO "")
mutant(searches_are_not_reflected Height height height_properties IN height.cpp
  FROM "first->height.rl.oid, 1};" TO "first->height.rl.oid, 0};")
mutant(leads_too_late VectorHierarchy vector_hierarchy vector_hierarchy_properties
  IN vector_hierarchy.cpp
  FROM "longest() >= remoteness_.of(rank_ + 1u)" TO "longest() > remoteness_.of(rank_ + 1u)")
mutant(keeps_its_members VectorHierarchy vector_hierarchy vector_hierarchy_properties
  IN vector_hierarchy.cpp
  FROM "members_ = HierarchyMembers(std::move(now));\n      told_members_ = false;"
  TO "members_ = HierarchyMembers(std::move(now));")
mutant(leads_for_nobody Hierarchy hierarchy hierarchy_places hierarchy_properties
  IN hierarchy_places.cpp FROM "return reach >= least(r) || patient;" TO "return true || patient;")
mutant(tells_its_reach_once Hierarchy hierarchy hierarchy_places hierarchy_properties
  IN hierarchy.cpp FROM "reaches_ = Reaches(std::move(now));\n  told_reaches_ = false;"
  TO "reaches_ = Reaches(std::move(now));")
mutant(root_never_answers Hierarchy hierarchy hierarchy_places hierarchy_properties
  IN hierarchy.cpp FROM "if (root()) answer();" TO "")
mutant(keeps_a_parent_uphill Hierarchy hierarchy hierarchy_places hierarchy_properties
  IN hierarchy.cpp FROM "old && downhill(*old) &&" TO "old &&")

# Elections by knowledge.
mutant(keeps_news_to_itself Cel cel IN cel.cpp
  FROM "topological_broadcast(step);\n}" TO "}")
mutant(flipped_pruning Cel cel IN cel.cpp
  FROM "if (!pruned_by_neighbour(known_, id_)" TO "if (pruned_by_neighbour(known_, id_)")
mutant(learns_and_does_not_tell TopologyAware topology_aware IN topology_aware.cpp
  FROM "updates_.push_back(std::move(each));" TO "(void)each;")
mutant(losses_are_not_told TopologyAware topology_aware IN topology_aware.cpp
  FROM "updates_.push_back({id_, {}, {peer}, own.clock, own.clock + 1});" TO "")
mutant(ageless Cel2 cel_2 knowledge_sync IN knowledge_sync.cpp  # R-1
  FROM "own.clock = static_cast<std::uint64_t>(std::max<std::int64_t>(microseconds, 0)) + 1;"
  TO "own.clock = microseconds * 0 + 1;")
mutant(reads_no_digest Cel2 cel_2 IN cel_2.cpp
  FROM "sync_.compare(step, port, message);" TO "(void)step, (void)port, (void)message;")
mutant(elects_by_claims Cel2 cel_2 IN cel_2.cpp
  FROM "known(), id_, Edges::mutual" TO "known(), id_, Edges::either")
mutant(keeps_its_place CentralHierarchy central_hierarchy central_hierarchy_properties
  IN central_hierarchy.cpp
  FROM "if (!known().same(before)) place(" TO "if (leader() != leaders_.back()) place(")
mutant(asks_for_no_digest TopologyAware2 topology_aware_2 IN topology_aware_2.cpp
  FROM "sync_.ask(step);" TO ";")

get_property(units GLOBAL PROPERTY mutant_units)
list(REMOVE_DUPLICATES units)
foreach(unit ${units})
  get_property(included GLOBAL PROPERTY mutants_included_${unit})
  get_property(made GLOBAL PROPERTY mutants_made_${unit})
  set(maker "bellwether/core/algorithm_of.hpp")
  if(unit MATCHES "ByHand_")
    set(maker "check/mutants/stand_in.hpp")
  endif()
  string(CONCAT text "${included}#include \"${maker}\"\n\n"
    "namespace bellwether::searches {\n${made}}\n")
  file(CONFIGURE OUTPUT ${mutant_folder}/${unit}.cpp @ONLY CONTENT "${text}")
  list(APPEND mutant_sources ${mutant_folder}/${unit}.cpp)
endforeach()

string(CONCAT text "#include \"check/mutants/handover_story.hpp\"\n${parts_included}\n"
  "namespace bellwether::searches {\n\n"
  "const std::map<std::string, std::string (*)()>& handovers() {\n"
  "  static const std::map<std::string, std::string (*)()> all{\n${parts_listed}  };\n"
  "  return all;\n}\n\n}\n")
file(CONFIGURE OUTPUT ${mutant_folder}/handovers.cpp @ONLY CONTENT "${text}")
list(APPEND mutant_sources ${mutant_folder}/handovers.cpp)

string(CONCAT text "#include \"check/mutants/mutants.hpp\"\n\n"
  "namespace bellwether::searches {\n\n${mutants_declared}\n"
  "const std::map<std::string, core::Algorithm>& mutants() {\n"
  "  static const std::map<std::string, core::Algorithm> all{\n${mutants_listed}  };\n"
  "  return all;\n}\n\n}\n")
file(CONFIGURE OUTPUT ${mutant_folder}/all.cpp @ONLY CONTENT "${text}")
list(APPEND mutant_sources ${mutant_folder}/all.cpp)
