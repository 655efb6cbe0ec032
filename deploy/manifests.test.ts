import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { Deployment } from 'kubernetes-models/apps/v1'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Secret, Service } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

import { environmentSchema } from '../src/server/settings'

const FOLDER = 'deploy'
const BASE = 'kubernetes/base'
const OVERLAYS = 'kubernetes/overlays'
const KUBECTL = '/usr/bin/kubectl'
const MODELS = {
  ConfigMap,
  Deployment,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
}
const KNOWN = new Set(Object.keys(environmentSchema.shape))

type Container = {
  image: string
  command?: string[]
  env?: { name: string }[]
  envFrom: Record<string, { name: string }>[]
  startupProbe?: { failureThreshold?: number; periodSeconds?: number }
}
type Manifest = {
  kind: keyof typeof MODELS
  metadata: { name: string; namespace?: string }
  data?: Record<string, string>
  stringData?: object
  spec?: { template?: { spec: { containers: Container[] } }; rules?: { host: string }[] }
}
type ComposeService = {
  build?: { context: string; dockerfile: string }
  environment?: object
  command?: string[]
  healthcheck?: { test: string[] }
}
type Compose = { services: Record<string, ComposeService> }

const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8')

const parseManifests = (text: string) =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest)
const manifests = readdirSync(join(FOLDER, BASE))
  .filter((file) => file !== 'kustomization.yaml')
  .flatMap((file) => parseManifests(read(`${BASE}/${file}`)))
const composeFiles = [
  '../compose.yaml',
  ...readdirSync(FOLDER).filter((name) => /^compose.*\.yaml$/.test(name)),
]

describe('the Kubernetes manifests', () => {
  it.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]))(
    'have a valid %s',
    (_name, manifest) => {
      const model = new MODELS[manifest.kind](manifest as never)
      expect(() => model.validate()).not.toThrow()
      const wrong = new MODELS[manifest.kind]({ ...manifest, metadata: { name: 1 } } as never)
      expect(() => wrong.validate()).toThrow(/./)
    },
  )

  it('set variables of the product only, and name settings that exist', () => {
    const settings = manifests.filter(({ kind }) => kind === 'ConfigMap' || kind === 'Secret')
    const containers = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
    expect(containers).toHaveLength(2)
    const names = [
      ...settings.flatMap(({ data, stringData }) => Object.keys({ ...data, ...stringData })),
      ...containers.flatMap(({ env = [] }) => env.map(({ name }) => name)),
    ]
    expect(names).toContain('STORAGE_URL')
    expect(names.filter((name) => !KNOWN.has(name))).toEqual([])
    const existing = new Set(settings.map(({ metadata }) => metadata.name))
    const used = containers.flatMap(({ envFrom }) => envFrom.flatMap(Object.values))
    expect(used.filter(({ name }) => !existing.has((name as string) ?? ''))).toEqual([])
  })
})

it('the base has all files of its folder', () => {
  const { resources } = parse(read(`${BASE}/kustomization.yaml`)) as { resources: string[] }
  expect(['kustomization.yaml', ...resources].toSorted()).toEqual(readdirSync(join(FOLDER, BASE)))
})

describe.skipIf(!existsSync(KUBECTL))('the overlays, as kubectl renders them', () => {
  const overlays = readdirSync(join(FOLDER, OVERLAYS))
  const render = (overlay: string) => {
    const args = ['kustomize', join(FOLDER, OVERLAYS, overlay)]
    const { status, stdout, stderr } = spawnSync(KUBECTL, args, { encoding: 'utf8' })
    expect([status, stderr], stderr).toEqual([0, expect.not.stringContaining('rror')])
    return parseManifests(stdout)
  }

  it.each(overlays)('have all of the base, valid, and what is of their own: %s', (overlay) => {
    const rendered = render(overlay)
    const names = (all: Manifest[]) => all.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(names(rendered).toSorted()).toEqual(names(manifests).toSorted())
    for (const manifest of rendered) {
      expect(() => new MODELS[manifest.kind](manifest as never).validate()).not.toThrow()
    }
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    const containers = rendered.flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
    expect(containers.map(({ image }) => image)).toEqual(
      Array.from({ length: 2 }, () => `ghcr.io/change-me/stockbridge:${version}`),
    )
    const settings = rendered.find(({ kind }) => kind === 'ConfigMap')
    const ingress = rendered.find(({ kind }) => kind === 'Ingress')
    expect(settings?.data).toMatchObject({
      PUBLIC_URL: `https://${ingress?.spec?.rules?.[0]?.host}`,
      TRUST_PROXY: 'change-me',
      METRICS_PORT: '3002',
    })
  })

  it('have a namespace, a host and a bucket each', () => {
    const own = overlays.map((overlay) => {
      const rendered = render(overlay)
      const settings = rendered.find(({ kind }) => kind === 'ConfigMap')
      const { PUBLIC_URL, STORAGE_URL, BACKUP_URL } = settings!.data!
      const namespaces = new Set(rendered.map(({ metadata }) => metadata.namespace))
      expect(namespaces.size).toBe(1)
      return [...namespaces, PUBLIC_URL, STORAGE_URL, BACKUP_URL]
    })
    expect(new Set(own.flat()).size).toBe(4 * overlays.length)
  })
})

describe('the health checks', () => {
  it('give every start the hour that a backup and a migration may take', () => {
    expect(read('Dockerfile')).toMatch(/^HEALTHCHECK --start-period=1h /m)
    // What a compose file leaves out is taken from the image.
    for (const file of composeFiles) expect(read(file)).not.toContain('start_period')
    const probes = manifests.flatMap(({ spec }) =>
      (spec?.template?.spec.containers ?? []).map(({ startupProbe }) => startupProbe),
    )
    // Kubernetes probes every ten seconds.
    expect(
      probes.map(
        ({ failureThreshold = 3, periodSeconds = 10 } = {}) => failureThreshold * periodSeconds,
      ),
    ).toEqual([3600, 3600])
  })

  // Only the program knows all the ways to set a host and a port: PORT_FILE, for example.
  it('of containers are made by the program that reads the settings', () => {
    const command = 'CMD ["node", "scripts/run.mjs", "health"]'
    expect(/^HEALTHCHECK .*(CMD .*)$/m.exec(read('Dockerfile'))?.[1]).toBe(command)
    const workers = composeFiles.flatMap((file) => {
      const { services } = parse(read(file), { merge: true }) as Compose
      return services.worker ?? []
    })
    const test = ['CMD', 'node', 'scripts/run.mjs', 'health', 'worker']
    expect(workers.map(({ healthcheck }) => healthcheck?.test)).toEqual([test, test])
  })
})

describe('the compose files', () => {
  it.each(composeFiles)('set variables of the product only: %s', (file) => {
    const { services } = parse(read(file), { merge: true }) as Compose
    const own = Object.entries(services).filter(([name]) => name !== 'redis')
    const names = own.flatMap(([, { environment }]) => Object.keys(environment ?? {}))
    expect(names).toContain('PUBLIC_URL')
    expect(names.filter((name) => !KNOWN.has(name))).toEqual([])
  })

  it.each(composeFiles)('build the image of this repository: %s', (file) => {
    const { services } = parse(read(file), { merge: true }) as Compose
    const builds = Object.values(services).flatMap(({ build }) => build ?? [])
    expect(builds).not.toEqual([])
    for (const { context, dockerfile } of builds) {
      for (const needed of [dockerfile, 'package-lock.json']) {
        expect(existsSync(join(FOLDER, dirname(file), context, needed)), needed).toBe(true)
      }
    }
  })
})

describe('every program', () => {
  const lines = (path: string) => read(path).split('\n')
  const units = readdirSync(FOLDER).filter((name) => name.endsWith('.service'))

  it('of the image has no debugger from its first moment on', () => {
    const stages = read('Dockerfile').split(/^FROM /m)
    expect(stages.at(-1)).toContain('ENV NODE_OPTIONS=--disable-sigusr1\n')
  })

  it('is started by run.mjs, which listens to SIGUSR1, and not by npm, which does not', () => {
    const commands = [
      ...units.flatMap((unit) => lines(unit).filter((line) => line.startsWith('ExecStart='))),
      ...lines('Dockerfile').filter((line) => line.startsWith('CMD')),
      ...composeFiles.flatMap((file) => {
        const { services } = parse(read(file), { merge: true }) as Compose
        return ['web', 'worker'].flatMap((name) => services[name]?.command?.join(' ') ?? [])
      }),
      ...manifests.flatMap(({ spec }) =>
        (spec?.template?.spec.containers ?? []).flatMap(({ command }) => command?.join(' ') ?? []),
      ),
    ]
    expect(commands).toHaveLength(7)
    for (const command of commands) expect(command).toMatch(/node"?,? "?scripts\/run\.mjs/)
  })
})
