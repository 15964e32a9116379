// SPDX-License-Identifier: GPL-2.0-only
#include "clock.hpp"

#include <ns3/event-impl.h>
#include <ns3/simulator.h>

#include <algorithm>

namespace bellwether::ns3side {

using ns3::EventId;
using ns3::EventImpl;

NS_OBJECT_ENSURE_REGISTERED(Clock);

ns3::TypeId Clock::GetTypeId() {
  static ns3::TypeId id = ns3::TypeId("bellwether::Clock")
                              .SetParent<ns3::SimulatorImpl>()
                              .SetGroupName("Core")
                              .AddConstructor<Clock>();
  return id;
}

std::optional<std::int64_t> Clock::next() const {
  if (events_->IsEmpty()) return std::nullopt;
  return static_cast<std::int64_t>(events_->PeekNext().key.m_ts);
}

void Clock::run_up_to(std::int64_t at) {
  while (const auto due = next()) {
    if (*due > at) return;
    take_next();
  }
}

void Clock::take_next() {
  const ns3::Scheduler::Event event = events_->RemoveNext();
  now_ = event.key.m_ts;
  uid_ = event.key.m_uid;
  context_ = event.key.m_context;
  ++taken_;
  event.impl->Invoke();
  event.impl->Unref();
}

void Clock::stand_at(std::int64_t at, std::uint32_t node) {
  run_up_to(at - 1);
  const auto when = static_cast<std::uint64_t>(at);
  if (when > now_) uid_ = 0;  // nothing of that time has been taken yet
  now_ = std::max(now_, when);
  context_ = node;
}

EventId Clock::put(std::uint32_t context, std::uint64_t at, EventImpl* event) {
  const ns3::Scheduler::Event entry{event, {at, next_uid_++, context}};
  events_->Insert(entry);
  return {event, at, context, entry.key.m_uid};
}

EventId Clock::Schedule(const ns3::Time& delay, EventImpl* event) {
  return put(context_, now_ + static_cast<std::uint64_t>(delay.GetTimeStep()), event);
}

void Clock::ScheduleWithContext(std::uint32_t context, const ns3::Time& delay, EventImpl* event) {
  put(context, now_ + static_cast<std::uint64_t>(delay.GetTimeStep()), event);
}

EventId Clock::ScheduleNow(EventImpl* event) {
  return put(context_, now_, event);
}

EventId Clock::ScheduleDestroy(EventImpl* event) {
  const EventId id(ns3::Ptr<EventImpl>(event, false), now_, 0xFFFF'FFFF, EventId::DESTROY);
  at_the_end_.push_back(id);
  return id;
}

void Clock::Remove(const EventId& id) {
  if (id.GetUid() == EventId::DESTROY) {
    at_the_end_.remove(id);
    return;
  }
  if (IsExpired(id)) return;
  const ns3::Scheduler::Event event{id.PeekEventImpl(), {id.GetTs(), id.GetUid(), id.GetContext()}};
  events_->Remove(event);
  event.impl->Cancel();
  event.impl->Unref();
}

void Clock::Cancel(const EventId& id) {
  if (!IsExpired(id)) id.PeekEventImpl()->Cancel();
}

bool Clock::IsExpired(const EventId& id) const {
  if (!id.PeekEventImpl() || id.PeekEventImpl()->IsCancelled()) return true;
  if (id.GetUid() == EventId::DESTROY)
    return std::find(at_the_end_.begin(), at_the_end_.end(), id) == at_the_end_.end();
  return id.GetTs() < now_ || (id.GetTs() == now_ && id.GetUid() <= uid_);
}

ns3::Time Clock::GetDelayLeft(const EventId& id) const {
  return ns3::TimeStep(IsExpired(id) ? 0 : id.GetTs() - now_);
}

ns3::Time Clock::GetMaximumSimulationTime() const {
  return ns3::TimeStep(0x7FFF'FFFF'FFFF'FFFFULL);
}

bool Clock::IsFinished() const {
  return events_->IsEmpty();
}

void Clock::SetScheduler(ns3::ObjectFactory factory) {
  auto fresh = factory.Create<ns3::Scheduler>();
  while (events_ && !events_->IsEmpty()) fresh->Insert(events_->RemoveNext());
  events_ = fresh;
}

void Clock::Destroy() {
  while (!at_the_end_.empty()) {
    const ns3::Ptr<EventImpl> event = at_the_end_.front().PeekEventImpl();
    at_the_end_.pop_front();
    if (!event->IsCancelled()) event->Invoke();
  }
}

void Clock::DoDispose() {
  while (!events_->IsEmpty()) events_->RemoveNext().impl->Unref();
  events_ = nullptr;
  SimulatorImpl::DoDispose();
}

}  // namespace bellwether::ns3side
