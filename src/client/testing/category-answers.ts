import type { CategoryNode } from '../../shared/schemas/category'
import type { Answers } from './render-app'

/** A category with the number of its own rows, and its subcategories. */
export type Branch = { label: string; rows: number; children?: Branch[] }

const PAGE = 50
const MANY = 12

/** Answers the `categories.*` calls for a file with these categories, 50 per page. */
export function answerCategories(branches: Branch[], rowCount: number) {
  const nodes: CategoryNode[] = []
  const paths: string[] = []
  function add(siblings: Branch[], parent: CategoryNode | null, path: string) {
    for (const [index, { label, children = [] }] of siblings.entries()) {
      const place = nodes.length
      const node: CategoryNode = {
        place,
        end: place + 1,
        parent: parent?.place ?? null,
        level: (parent?.level ?? 0) + 1,
        label,
        rows: countRows([siblings[index] as Branch]),
        position: index + 1,
        siblingCount: siblings.length,
      }
      nodes.push(node)
      paths.push(path + label)
      add(children, node, `${path}${label} > `)
      node.end = nodes.length
    }
  }
  add(branches, null, '')
  const levelOf = (under: number | null) => nodes.filter(({ parent }) => parent === under)
  const isLarge = branches.length > MANY
  const file = {
    fileName: 'connection_1_spring.csv',
    reading: { column: 'type', pathSeparator: '>' as const, listSeparator: null },
    rowCount,
    categoryCount: nodes.length,
    isCut: false,
    isLarge,
    nodes: isLarge ? levelOf(null).slice(0, PAGE) : nodes,
    topCount: branches.length,
  }
  const answers: Answers = {
    'categories.overview': () => file,
    'categories.level': ({ under, offset }: { under: number | null; offset: number }) => ({
      nodes: levelOf(under).slice(offset, offset + PAGE),
      count: levelOf(under).length,
    }),
    'categories.search': ({ q }: { q: string }) => {
      const matches = nodes.filter(({ place, end }) =>
        paths.slice(place, end).some((path) => path.toLowerCase().includes(q)),
      )
      return { nodes: matches.slice(0, PAGE), count: matches.length }
    },
    'categories.choice': ({ categories }: { categories: string[] }) => {
      const places = categories.map((category) => paths.indexOf(category))
      const tops = places.filter((place) => place >= 0 && !isBelow(nodes, place, places))
      return {
        places: places.map((place) => (place < 0 ? null : place)),
        visibleRows: tops.reduce((sum, place) => sum + (nodes[place]?.rows ?? 0), 0),
      }
    },
  }
  return { file, answers }
}

function countRows(branches: Branch[]): number {
  return branches.reduce((sum, { rows, children = [] }) => sum + rows + countRows(children), 0)
}

function isBelow(nodes: CategoryNode[], place: number, others: number[]): boolean {
  return others.some((other) => other < place && place < (nodes[other]?.end ?? 0))
}
