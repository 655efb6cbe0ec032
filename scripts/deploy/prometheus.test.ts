import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

import { openTestDeps, type TestDeps } from '../../src/server/testing/test-deps'

const FOLDER = 'scripts/deploy/prometheus'
/** Not the product's: Prometheus makes it. */
const UP = 'up'

type Rule = {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; description: string }
}
type Pod = {
  metadata: { annotations: Record<string, string> }
  spec: { containers: { ports: { name: string; containerPort: number }[] }[] }
}

const read = (file: string) => parse(readFileSync(join(FOLDER, file), 'utf8')) as object
const { groups } = read('rules.yaml') as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const settings = read('prometheus.yaml') as {
  rule_files: string[]
  scrape_configs: { job_name: string }[]
}

let deps: TestDeps
let families: string[]
let lines: string[]

beforeAll(async () => {
  deps = await openTestDeps()
  const { metrics } = deps
  metrics.requestFinished({ method: 'GET', route: '/x', statusCode: 500, seconds: 1 })
  metrics.syncFinished({ outcome: 'published', seconds: 1, sizeBytes: 1, rowCount: 1 })
  metrics.procedureFinished({ procedure: 'x', outcome: 'ok', seconds: 1 })
  metrics.cronRunFinished({ job: 'backup', outcome: 'succeeded', seconds: 1 })
  metrics.fileSent(1)
  const { text } = await metrics.scrape()
  lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  families = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
})
afterAll(() => deps.close())

/** The metrics of an expression, each with its labels: `up{job="x"}`. */
function findSelectors(expression: string) {
  const found = expression.matchAll(/\b((?:stockbridge|process|nodejs)_\w+|up)(?:\{([^}]*)\})?/g)
  return [...found].map(([, name = '', labels = '']) => ({
    name,
    labels: labels.split(',').filter(Boolean),
  }))
}

describe('the alerts', () => {
  it.each(rules)('$alert say what has happened, what to do, and how urgent it is', (rule) => {
    expect(rule.alert).toMatch(/^Stockbridge[A-Z]\w+$/)
    expect(['page', 'ticket']).toContain(rule.labels.severity)
    const { summary, description } = rule.annotations
    expect(summary).toMatch(/^.{10,}[^.]$/)
    expect(description).toMatch(/^.{10,}\.$/)
  })

  it.each(rules)('$alert look at metrics that the product has', ({ expr }) => {
    const selectors = findSelectors(expr)
    expect(selectors).not.toEqual([])
    const unknown = selectors.filter(
      ({ name, labels }) =>
        name !== UP &&
        !lines.some(
          (line) =>
            line.startsWith(name) &&
            /^[{ ]/.test(line.slice(name.length)) &&
            labels.every((label) => line.includes(label)),
        ),
    )
    expect(unknown).toEqual([])
  })

  it('have the job that is scraped', () => {
    const [{ job_name: job } = { job_name: '' }] = settings.scrape_configs
    const jobs = rules
      .flatMap(({ expr }) => findSelectors(expr))
      .filter(({ name }) => name === UP)
      .flatMap(({ labels }) => labels)
    expect(jobs).toEqual([`job="${job}"`])
    expect(settings.rule_files.every((file) => existsSync(join(FOLDER, file)))).toBe(true)
  })
})

it('the documents name all metrics of the product, and no others', () => {
  const text = readFileSync('docs/deployment.md', 'utf8')
  const named = [...text.matchAll(/\bstockbridge_[a-z_]+[a-z]/g)].map(([name]) => name)
  expect([...new Set(named)].toSorted()).toEqual(
    families.filter((name) => name.startsWith('stockbridge_')).toSorted(),
  )
})

it('the pods of Kubernetes say where their metrics are', () => {
  const folder = 'scripts/deploy/kubernetes'
  const pods = readdirSync(folder)
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')))
    .flatMap((document) => (document.toJS() as { spec?: { template?: Pod } }).spec?.template ?? [])
  expect(pods).toHaveLength(2)
  for (const { metadata, spec } of pods) {
    const port = spec.containers[0]?.ports.find(({ name }) => name === 'metrics')
    expect(metadata.annotations).toEqual({
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': `${port?.containerPort}`,
    })
  }
})
