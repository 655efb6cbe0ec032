import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments, stringify } from 'yaml'

import { openTestDeps, type TestDeps } from '../src/server/testing/stages/test-deps'

const FOLDER = 'deploy/prometheus'
const DASHBOARD = 'deploy/grafana/stockbridge.json'
const PROMTOOL = '/usr/bin/promtool'
/** Labels that Prometheus gives to all that it scrapes. */
const OF_PROMETHEUS = ['instance', 'job']
/** Not the product's: Prometheus makes it. */
const UP = 'up'

type Rule = {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; description: string }
}
type Pod = {
  metadata: { annotations: Record<string, string>; labels: { app: string } }
  spec: { containers: { ports: { name: string; containerPort: number }[] }[] }
}
type Panel = {
  id: number
  type: string
  title: string
  gridPos: { x: number; w: number }
  targets?: { expr: string; legendFormat: string }[]
}
type Dashboard = { panels: Panel[]; templating: { list: { name: string }[] } }
type Relabeling = { source_labels: string[]; regex: string; action: string }

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
  for (const outcome of ['sent', 'failed'] as const) {
    metrics.dispatchTried({ kind: 'sftp', outcome, sizeBytes: 1 })
  }
  metrics.inboxListens('sftp', true)
  metrics.mailReceived('taken')
  metrics.sftpSignIn('ok')
  metrics.sftpBytes('sent', 1)
  metrics.measureProcess()
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

describe('the dashboard of Grafana', () => {
  const { panels, templating } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard
  const charts = panels.filter(({ type }) => type !== 'row')
  const expressions = charts.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

  it.each(charts)('$title looks at metrics that the product has', ({ targets = [] }) => {
    expect(targets).not.toEqual([])
    const selectors = targets.flatMap(({ expr }) => findSelectors(expr))
    expect(selectors).not.toEqual([])
    for (const { name, labels } of selectors) {
      expect(findLabels(name), name).not.toBeUndefined()
      // The job that is chosen is what Prometheus calls it.
      expect([name, labels]).toEqual([name, ['job=~"$job"']])
    }
    for (const { expr, legendFormat } of targets) {
      const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
      const known = [
        ...OF_PROMETHEUS,
        ...findSelectors(expr).flatMap(({ name }) => findLabels(name) ?? []),
      ]
      expect(known).toEqual(expect.arrayContaining(shown))
    }
  })

  it('has all of the product’s metrics', () => {
    const shown = new Set(expressions.flatMap(findSelectors).map(({ name }) => toFamily(name)))
    const own = families.filter((name) => name.startsWith('stockbridge_'))
    expect(own.filter((name) => !shown.has(name))).toEqual([])
  })

  it('lays its panels out side by side', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
    expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'job'])
  })

  it.skipIf(!existsSync(PROMTOOL))('has expressions that Prometheus understands', () => {
    const known = { $__rate_interval: '5m', $job: '.*' }
    const records = expressions.map((expr, index) => ({
      record: `panel:${index}`,
      expr: Object.entries(known).reduce(
        (text, [name, value]) => text.replaceAll(name, value),
        expr,
      ),
    }))
    expect(runPromtool(['check', 'rules'], { groups: [{ name: 'panels', rules: records }] })).toBe(
      '',
    )
  })
})

describe.skipIf(!existsSync(PROMTOOL))('Prometheus itself', () => {
  it('takes the rules and the settings', () => {
    expect(runPromtool(['check', 'rules'], { groups })).toBe('')
    const { rule_files: _files, ...rest } = settings
    expect(runPromtool(['check', 'config'], rest)).toBe('')
  })

  it('refuses what it does not understand', () => {
    const rule = { alert: 'Wrong', expr: 'sum(stockbridge_feeds' }
    expect(runPromtool(['check', 'rules'], { groups: [{ name: 'a', rules: [rule] }] })).not.toBe('')
  })
})

/** What promtool has against a file with this content; nothing if all is well. */
function runPromtool(args: string[], content: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'stockbridge-promtool-'))
  const file = join(folder, 'checked.yaml')
  writeFileSync(file, stringify(content))
  const { status, stdout, stderr } = spawnSync(PROMTOOL, [...args, file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return status === 0 ? '' : stdout + stderr
}

const toFamily = (name: string) =>
  families.includes(name) ? name : name.replace(/_(?:bucket|count|sum)$/, '')

/** The labels that a metric has here; undefined if there is no such metric. */
function findLabels(name: string): string[] | undefined {
  const own = lines.filter((line) => /^[{ ]/.test(line.slice(name.length)) && line.startsWith(name))
  if (own.length === 0) return undefined
  return own.flatMap((line) => [...line.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label))
}

it('the documents name all metrics of the product, and no others', () => {
  const text = readFileSync('docs/deployment.md', 'utf8')
  const named = [...text.matchAll(/\bstockbridge_[a-z_]+[a-z]/g)].map(([name]) => name)
  expect([...new Set(named)].toSorted()).toEqual(
    families.filter((name) => name.startsWith('stockbridge_')).toSorted(),
  )
})

describe('in Kubernetes', () => {
  const folder = 'deploy/kubernetes/base'
  const pods = readdirSync(folder)
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')))
    .flatMap((document) => (document.toJS() as { spec?: { template?: Pod } }).spec?.template ?? [])

  it('the pods say where their metrics are', () => {
    expect(pods).toHaveLength(2)
    for (const { metadata, spec } of pods) {
      const port = spec.containers[0]?.ports.find(({ name }) => name === 'metrics')
      expect(metadata.annotations).toEqual({
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': `${port?.containerPort}`,
      })
    }
  })

  it('Prometheus keeps the port with the metrics of each, at the address that it has found', () => {
    const { relabel_configs: relabeling } = readKubernetesSettings()
    // An address that a rule makes from an IP and a port lacks the brackets of IPv6.
    expect(relabeling.map(({ action }) => action)).toEqual(relabeling.map(() => 'keep'))
    const targets = pods.flatMap(({ metadata, spec }) =>
      spec.containers.flatMap(({ ports }) =>
        ports.map(({ name, containerPort }) => ({
          __address__: `[fd00::1]:${containerPort}`,
          __meta_kubernetes_pod_label_app: metadata.labels.app,
          __meta_kubernetes_pod_container_port_name: name,
        })),
      ),
    )
    const kept = targets.filter((target: Record<string, string | undefined>) =>
      relabeling.every(({ source_labels: labels, regex }) =>
        new RegExp(`^(?:${regex})$`).test(labels.map((label) => target[label] ?? '').join(';')),
      ),
    )
    expect(kept.map(({ __address__: address }) => address)).toEqual([
      '[fd00::1]:3002',
      '[fd00::1]:3001',
    ])
  })
})

/** The settings that are to be used instead in Kubernetes: a comment in the file. */
function readKubernetesSettings() {
  const text = readFileSync(join(FOLDER, 'prometheus.yaml'), 'utf8')
  const [comment = ''] = /^ *# kubernetes_sd_configs:(?:.*\n)(?: *#.*\n?)*/m.exec(text) ?? []
  return parse(comment.replaceAll(/^ *# /gm, '')) as { relabel_configs: Relabeling[] }
}
