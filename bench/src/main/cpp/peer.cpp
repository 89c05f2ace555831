// The boost.fiber side of the comparison: does one work, a round at each command. The protocol is described in
// dev.coir.bench.works.Child. One thread, the default round-robin scheduler, stacks of 16 KiB from a pool.
//
//   peer WORKERS WORK SIZE
#include <boost/fiber/all.hpp>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fibers = boost::fibers;
using clock_type = std::chrono::steady_clock;
using body = std::function<void(long ops)>;

constexpr std::size_t stack_bytes = 16 * 1024;
constexpr std::size_t pipe_capacity = 128; // a power of two is required; the others have 100
constexpr int width = 8;

[[noreturn]] void fail(const std::string& message) {
  std::cerr << message << std::endl;
  std::exit(1);
}

fibers::pooled_fixedsize_stack& stacks() {
  static fibers::pooled_fixedsize_stack pool(stack_bytes);
  return pool;
}

template <typename F>
fibers::fiber start(F&& f) {
  return fibers::fiber(std::allocator_arg, stacks(), std::forward<F>(f));
}

void start_and_join(long count, const std::function<void()>& f) {
  std::vector<fibers::fiber> all;
  all.reserve(count);
  for (long i = 0; i < count; i++) all.push_back(start(f));
  for (auto& each : all) each.join();
}

void yields(long count, long each) {
  start_and_join(count, [each] {
    for (long i = 0; i < each; i++) boost::this_fiber::yield();
  });
}

void round_trips(long trips) {
  fibers::unbuffered_channel<long> there;
  fibers::unbuffered_channel<long> back;
  auto pong = start([&] {
    for (long i = 0; i < trips; i++) back.push(there.value_pop());
  });
  for (long i = 0; i < trips; i++) {
    there.push(i);
    back.value_pop();
  }
  pong.join();
}

void pipeline(long values) {
  fibers::buffered_channel<long> channel(pipe_capacity);
  auto sender = start([&] {
    for (long i = 0; i < values; i++) channel.push(i);
  });
  for (long i = 0; i < values; i++) channel.value_pop();
  sender.join();
}

void ring(long count, long laps) {
  std::vector<std::unique_ptr<fibers::unbuffered_channel<long>>> links;
  for (long i = 0; i < count; i++) links.push_back(std::make_unique<fibers::unbuffered_channel<long>>());
  std::vector<fibers::fiber> all;
  for (long i = 0; i < count; i++) {
    auto& in = *links[i];
    auto& out = *links[(i + 1) % count];
    bool last = i == count - 1;
    all.push_back(start([&in, &out, last, laps] {
      for (long lap = 0; lap < laps; lap++) {
        long token = in.value_pop();
        if (!last || lap < laps - 1) out.push(token);
      }
    }));
  }
  links[0]->push(1);
  for (auto& each : all) each.join();
}

int fork_join(int depth) {
  if (depth == 1) return 1;
  int left = 0;
  int right = 0;
  auto one = start([&] { left = fork_join(depth - 1); });
  auto other = start([&] { right = fork_join(depth - 1); });
  one.join();
  other.join();
  return 1 + left + right;
}

void nested_wait(int depth) {
  if (depth > 0) start_and_join(width, [depth] { nested_wait(depth - 1); });
}

long nodes(int depth) {
  long all = 0;
  long level = 1;
  for (int i = 0; i < depth; i++) all += level *= width;
  return all;
}

void mutex_alone(long times) {
  fibers::mutex mutex;
  long added = 0;
  start_and_join(1, [&] {
    for (long i = 0; i < times; i++) {
      std::lock_guard<fibers::mutex> hold(mutex);
      added++;
    }
  });
  if (added != times) fail("an addition is lost");
}

// A work: what a round does, and by how many operations its time is divided.
struct work {
  body run;
  std::function<long(long ops)> operations;
};

work make(const std::string& name, int size) {
  auto same = [](long ops) { return ops; };
  if (name == "FiberYield") return {[size](long ops) { yields(size, ops / size); }, same};
  if (name == "ChannelRoundTrip") return {round_trips, same};
  if (name == "ChannelPipeline") return {pipeline, same};
  if (name == "FiberRing") return {[size](long ops) { ring(size, ops / size); }, same};
  if (name == "FiberSpawn") return {[](long ops) { start_and_join(ops, [] {}); }, same};
  if (name == "MutexAlone") return {mutex_alone, same};
  if (name == "ForkJoinTree") {
    long all = (1L << size) - 1;
    auto run = [size, all](long) {
      if (fork_join(size) != all) fail("tree: a wrong number of nodes");
    };
    return {run, [all](long) { return all; }};
  }
  if (name == "NestedWait") {
    auto run = [size](long ops) {
      for (long i = 0; i < ops; i++) nested_wait(size);
    };
    return {run, [size](long ops) { return ops * nodes(size); }};
  }
  fail("boost.fiber has no work " + name);
}

double nanos_per_op(const work& work, long ops) {
  auto start = clock_type::now();
  work.run(ops);
  std::chrono::duration<double, std::nano> taken = clock_type::now() - start;
  return taken.count() / work.operations(ops);
}

long warm(const work& work, long millis, long ops) {
  auto end = clock_type::now() + std::chrono::milliseconds(millis);
  long rounds = 0;
  while (rounds < 2 || clock_type::now() < end) {
    work.run(ops);
    rounds++;
  }
  return rounds;
}

void serve(const work& work) {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string command;
    long first = 0;
    long second = 0;
    words >> command >> first >> second;
    if (command == "warm") {
      std::cout << "warmed " << warm(work, first, second) << std::endl;
    } else if (command == "round") {
      std::cout << "figures " << nanos_per_op(work, first) << std::endl;
    } else {
      fail("no command " + line);
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 4 || std::string(argv[1]) != "1") fail("usage: peer 1 WORK SIZE");
  work chosen = make(argv[2], std::atoi(argv[3]));
  std::cout << "ready" << std::endl;
  serve(chosen);
}
