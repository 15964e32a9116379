// SPDX-License-Identifier: GPL-2.0-only
// ns-3's time, wound by hand: another event queue decides when it goes on, event by event.
#pragma once

#include <ns3/scheduler.h>
#include <ns3/simulator-impl.h>

#include <cstdint>
#include <list>
#include <optional>

namespace bellwether::ns3side {

class Clock final : public ns3::SimulatorImpl {
 public:
  static ns3::TypeId GetTypeId();

  /// When the next event is due, in nanoseconds.
  std::optional<std::int64_t> next() const;
  /// Takes all events up to and including this time.
  void run_up_to(std::int64_t at);
  /// It is this time now, all that was due earlier has been done, and what follows is done by this
  /// node.
  void stand_at(std::int64_t at, std::uint32_t node);

  void Destroy() override;
  bool IsFinished() const override;
  void Stop() override {}
  void Stop(const ns3::Time&) override {}
  ns3::EventId Schedule(const ns3::Time& delay, ns3::EventImpl* event) override;
  void ScheduleWithContext(std::uint32_t context, const ns3::Time& delay,
                           ns3::EventImpl* event) override;
  ns3::EventId ScheduleNow(ns3::EventImpl* event) override;
  ns3::EventId ScheduleDestroy(ns3::EventImpl* event) override;
  void Remove(const ns3::EventId& id) override;
  void Cancel(const ns3::EventId& id) override;
  bool IsExpired(const ns3::EventId& id) const override;
  void Run() override {}
  ns3::Time Now() const override { return ns3::TimeStep(now_); }
  ns3::Time GetDelayLeft(const ns3::EventId& id) const override;
  ns3::Time GetMaximumSimulationTime() const override;
  void SetScheduler(ns3::ObjectFactory factory) override;
  std::uint32_t GetSystemId() const override { return 0; }
  std::uint32_t GetContext() const override { return context_; }
  std::uint64_t GetEventCount() const override { return taken_; }

 private:
  void DoDispose() override;
  ns3::EventId put(std::uint32_t context, std::uint64_t at, ns3::EventImpl* event);
  void take_next();

  ns3::Ptr<ns3::Scheduler> events_;
  std::list<ns3::EventId> at_the_end_;
  std::uint64_t now_ = 0;
  std::uint32_t uid_ = 0;  // of the event that was taken last, if it was of this time
  std::uint32_t next_uid_ = ns3::EventId::VALID;
  std::uint32_t context_ = 0xFFFF'FFFF;
  std::uint64_t taken_ = 0;
};

}  // namespace bellwether::ns3side
