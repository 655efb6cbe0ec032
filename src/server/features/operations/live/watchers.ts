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
  /** Those with each topic, and those with all under `all`. */
  const byTopic = new Map<string, Set<Wakeable>>()

  const topicsOf = ({ topics }: Place) => (topics === 'all' ? ['all'] : topics)
  const enter = (watcher: Wakeable, place: Place) => {
    for (const topic of topicsOf(place)) {
      const others = byTopic.get(topic)
      if (others) others.add(watcher)
      else byTopic.set(topic, new Set([watcher]))
    }
    places.set(watcher, place)
  }
  const leave = (watcher: Wakeable, place: Place) => {
    for (const topic of topicsOf(place)) {
      const others = byTopic.get(topic)
      others?.delete(watcher)
      if (others?.size === 0) byTopic.delete(topic)
    }
  }
  return {
    isEmpty: () => places.size === 0,
    list: () => [...places.keys()],
    countOf: (userId: number) =>
      [...places.keys()].filter((watcher) => watcher.userId === userId).length,
    /** Adds a watcher that everything concerns. */
    add(watcher: Wakeable, now: number): void {
      enter(watcher, { topics: 'all', wokenAt: now })
    },
    remove(watcher: Wakeable): void {
      const place = places.get(watcher)
      if (place) leave(watcher, place)
      places.delete(watcher)
    },
    /** Changes what concerns a watcher, if it has not been removed. */
    setTopics(watcher: Wakeable, topics: Topics): void {
      const place = places.get(watcher)
      if (!place) return
      leave(watcher, place)
      enter(watcher, { ...place, topics })
    },
    /** Those whom changes with these topics concern. */
    listConcerned(changed: readonly string[]): Wakeable[] {
      if (changed.length === 0) return []
      return [...new Set(['all', ...changed])].flatMap((topic) => [...(byTopic.get(topic) ?? [])])
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
