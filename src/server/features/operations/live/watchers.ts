/** What concerns a watcher: changes with one of these topics (`db/change-topics.ts`), or all. */
export type Topics = ReadonlySet<string> | 'all'

/** A watcher that can be woken. */
export type Wakeable = { userId: number; wake(): void; end(): void }

type Place = { topics: Topics; wokenAt: number }

/** The open watchers of a process, found by what concerns them. */
export type Watchers = ReturnType<typeof createWatchers>

export function createWatchers() {
  /** The one that was woken longest ago first. */
  const places = new Map<Wakeable, Place>()
  const index = createIndex()

  return {
    isEmpty: () => places.size === 0,
    list: () => [...places.keys()],
    countOf: (userId: number) =>
      [...places.keys()].filter((watcher) => watcher.userId === userId).length,
    /** Adds a watcher that everything concerns. */
    add(watcher: Wakeable, now: number): void {
      index.add(watcher, 'all')
      places.set(watcher, { topics: 'all', wokenAt: now })
    },
    remove(watcher: Wakeable): void {
      const place = places.get(watcher)
      if (place) index.remove(watcher, place.topics)
      places.delete(watcher)
    },
    /** Changes what concerns a watcher, if it has not been removed. */
    setTopics(watcher: Wakeable, topics: Topics): void {
      const place = places.get(watcher)
      if (!place) return
      index.remove(watcher, place.topics)
      index.add(watcher, topics)
      places.set(watcher, { ...place, topics })
    },
    /** Those whom changes with these topics concern. */
    listConcerned(changed: readonly string[]): Wakeable[] {
      if (changed.length === 0) return []
      return [...new Set(['all', ...changed])].flatMap(index.list)
    },
    /** Those that have not been woken since `quietSince`, and the `least` woken longest ago. */
    listQuiet(quietSince: number, least: number): Wakeable[] {
      const found: Wakeable[] = []
      for (const [watcher, { wokenAt }] of places) {
        if (wokenAt > quietSince && found.length >= least) break
        found.push(watcher)
      }
      return found
    },
    noteWoken(watcher: Wakeable, now: number): void {
      const place = places.get(watcher)
      if (!place) return
      places.delete(watcher)
      places.set(watcher, { ...place, wokenAt: now })
    },
  }
}

/** The watchers of each topic, and under `all` those that everything concerns. */
function createIndex() {
  const byTopic = new Map<string, Set<Wakeable>>()
  const listTopics = (topics: Topics) => (topics === 'all' ? ['all'] : topics)
  return {
    list: (topic: string): Wakeable[] => [...(byTopic.get(topic) ?? [])],
    add(watcher: Wakeable, topics: Topics): void {
      for (const topic of listTopics(topics)) {
        const others = byTopic.get(topic)
        if (others) others.add(watcher)
        else byTopic.set(topic, new Set([watcher]))
      }
    },
    remove(watcher: Wakeable, topics: Topics): void {
      for (const topic of listTopics(topics)) {
        const others = byTopic.get(topic)
        others?.delete(watcher)
        if (others?.size === 0) byTopic.delete(topic)
      }
    },
  }
}
