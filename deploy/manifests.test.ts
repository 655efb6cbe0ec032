import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Deployment } from 'kubernetes-models/apps/v1'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Secret, Service } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

import { environmentSchema } from '../src/server/settings'

const FOLDER = 'deploy'
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
  command?: string[]
  env?: { name: string }[]
  envFrom: Record<string, { name: string }>[]
  startupProbe?: { failureThreshold?: number; periodSeconds?: number }
}
type Manifest = {
  kind: keyof typeof MODELS
  metadata: { name: string }
  data?: object
  stringData?: object
  spec?: { template?: { spec: { containers: Container[] } } }
}
type ComposeService = {
  build?: { context: string; dockerfile: string }
  environment?: object
  command?: string[]
  healthcheck?: { test: string[] }
}
type Compose = { services: Record<string, ComposeService> }

const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8')

const manifests = readdirSync(join(FOLDER, 'kubernetes')).flatMap((file) =>
  parseAllDocuments(read(`kubernetes/${file}`)).map((document) => document.toJS() as Manifest),
)
const composeFiles = readdirSync(FOLDER).filter((name) => /^compose.*\.yaml$/.test(name))

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
        expect(existsSync(join(FOLDER, context, needed)), needed).toBe(true)
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
