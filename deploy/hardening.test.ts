import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

import { readConfig } from '../src/server/config'

const FOLDER = 'deploy'
const BASE = 'kubernetes/base'
const ANALYZE = '/usr/bin/systemd-analyze'
/** Of 100, from best to worst; not even half of what systemd calls a medium exposure begins with. */
const MAX_EXPOSURE = 20

const WITH_PASSWORD = 'redis://:${REDIS_PASSWORD:?}@redis:6379'

const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8')
const list = (pattern: RegExp) => readdirSync(FOLDER).filter((name) => pattern.test(name))
const composeFiles = ['../compose.yaml', ...list(/^compose.*\.yaml$/)]

type Service = {
  environment?: Record<string, string>
  command?: string[]
  networks?: string[] | object
} & Record<string, unknown>
type Compose = { services: Record<string, Service>; networks: Record<string, object> }
const services = composeFiles.flatMap((file) =>
  Object.entries((parse(read(file), { merge: true }) as Compose).services).map(
    ([name, service]) => [`${name} of ${file}`, service] as const,
  ),
)

describe.each(services)('the container %s', (name, service) => {
  it('has a read-only root, no capabilities beyond its needs, and limits', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: expect.any(Number) as number,
      mem_limit: expect.stringMatching(/^\d+[mg]$/) as string,
    })
    const needed = name.startsWith('nginx') ? ['CHOWN', 'NET_BIND_SERVICE', 'SETGID', 'SETUID'] : []
    expect(service.cap_add ?? []).toEqual(needed)
  })

  it('is open to this machine only', () => {
    for (const port of (service.ports ?? []) as string[]) expect(port).toMatch(/^127\.0\.0\.1:/)
  })

  it('trusts no range of addresses', () => {
    const trusted = service.environment?.TRUST_PROXY ?? ''
    expect(trusted).toMatch(/^(?:|\$\{TRUST_PROXY:-[\d.,]*\})$/)
  })

  it('uses Redis with a password, if at all', () => {
    const { REDIS_URL = WITH_PASSWORD } = service.environment ?? {}
    expect(REDIS_URL).toBe(WITH_PASSWORD)
  })
})

const redis = services.filter(([name]) => name.startsWith('redis'))
it.each(redis)('%s lets in no one without the password', (_name, service) => {
  expect(service.environment).toEqual({ REDISCLI_AUTH: '${REDIS_PASSWORD:?}' })
  expect(service.command?.at(-1)).toContain('\nrequirepass $$REDISCLI_AUTH\n')
  expect([service.user, service.networks]).toEqual(['redis', ['queue']])
})

it('only Redis and the product are in the network of Redis, which leads nowhere', () => {
  for (const file of list(/^compose\..+\.yaml$/)) {
    const { networks } = parse(read(file), { merge: true }) as Compose
    expect(networks.queue).toEqual({ internal: true })
  }
})

type Manifest = {
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  spec?: Record<string, unknown> & {
    podSelector?: { matchLabels: Record<string, string> }
    ingress?: object[]
    template?: { metadata: { labels: Record<string, string> }; spec: PodSpec }
  }
}
type PodSpec = {
  containers: { resources: { limits: object } }[]
  volumes: { emptyDir: { sizeLimit?: string } }[]
}

it('the image runs without privileges, from a build that stays out of it, and has health checks', () => {
  const stages = read('Dockerfile')
    .split(/^FROM /m)
    .slice(1)
  expect(stages).toHaveLength(2)
  const lines = stages[1]!.split('\n')
  const after = lines.slice(lines.indexOf('USER node'))
  expect(after).toContain('VOLUME /data')
  // From there on nothing is done as root, and nothing becomes another user.
  expect(after.filter((line) => /^(?:USER|RUN|COPY|ADD)\b/.test(line))).toEqual(['USER node'])
  expect(after.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true)
  expect(read('Dockerfile')).not.toMatch(/^ADD |curl|wget|apt-get|:latest|chmod 777/m)
})

describe('the Kubernetes manifests', () => {
  const manifests = readdirSync(join(FOLDER, BASE)).flatMap((file) =>
    parseAllDocuments(read(`${BASE}/${file}`)).map((document) => document.toJS() as Manifest),
  )
  const pods = manifests.flatMap(({ spec }) => spec?.template ?? [])

  it('confine every pod', () => {
    expect(pods).toHaveLength(2)
    for (const { spec } of pods) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            resources: { limits: { memory: '2Gi' } },
            securityContext: {
              readOnlyRootFilesystem: true,
              allowPrivilegeEscalation: false,
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      })
      for (const { emptyDir } of spec.volumes) expect(emptyDir.sizeLimit).toMatch(/^\dGi$/)
    }
  })

  it('let only the ingress reach the web processes, and Prometheus the metrics', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
    const toSource = ({ spec }: Manifest) => [spec?.podSelector?.matchLabels, spec?.ingress]
    const opens = (port: string, namespace: string) => {
      const matchLabels = { 'kubernetes.io/metadata.name': namespace }
      return { from: [{ namespaceSelector: { matchLabels } }], ports: [{ port }] }
    }
    expect(policies.map(toSource)).toEqual([
      [
        { app: 'stockbridge-web' },
        [opens('http', 'ingress-nginx'), opens('metrics', 'monitoring')],
      ],
      [{ app: 'stockbridge-worker' }, [opens('metrics', 'monitoring')]],
    ])
    for (const { spec } of policies) expect(spec?.policyTypes).toEqual(['Ingress', 'Egress'])
    const labels = pods.map(({ metadata }) => metadata.labels)
    expect(new Set(policies.map(({ spec }) => spec?.podSelector?.matchLabels.app))).toEqual(
      new Set(labels.map(({ app }) => app)),
    )
  })

  it('keep every pod from the addresses of metadata, but for names, which a node may cache there', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
    for (const { spec } of policies) {
      expect(spec?.egress).toEqual([
        {
          to: [
            { ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] } },
            { ipBlock: { cidr: '::/0', except: ['fe80::/10', 'fd00:ec2::254/128'] } },
          ],
        },
        {
          to: [{ ipBlock: { cidr: '169.254.0.0/16' } }],
          ports: [
            { port: 53, protocol: 'UDP' },
            { port: 53, protocol: 'TCP' },
          ],
        },
      ])
    }
  })

  it('have no addresses of proxies, so that the product does not start until they are set', () => {
    const trusted = manifests.flatMap(({ data }) => data?.TRUST_PROXY ?? [])
    expect(trusted).toEqual(['change-me'])
    expect(() => readConfig({ TRUST_PROXY: trusted[0] })).toThrow('TRUST_PROXY')
  })
})

describe.each(list(/\.service$/))('the unit %s', (unit) => {
  const settings = read(unit).split('\n')

  it('leaves what Node needs', () => {
    expect(settings).not.toContain('MemoryDenyWriteExecute=true')
    expect(settings).not.toContain('ProcSubset=pid')
    expect(settings.filter((line) => line.startsWith('SystemCallFilter='))).toEqual([
      'SystemCallFilter=@system-service',
      'SystemCallFilter=~@privileged',
    ])
    expect(settings).toContain('SystemCallErrorNumber=EPERM')
  })

  it('limits its processes and its memory', () => {
    expect(settings).toEqual(expect.arrayContaining(['TasksMax=512', 'MemoryMax=4G']))
  })

  it.skipIf(!existsSync(ANALYZE))('is well confined, as systemd sees it', () => {
    const threshold = `--threshold=${MAX_EXPOSURE}`
    const args = ['security', '--offline=true', threshold, join(FOLDER, unit)]
    const { status, stdout, stderr } = spawnSync(ANALYZE, args, { encoding: 'utf8' })
    expect([status, stderr], stdout).toEqual([0, ''])
  })

  it.skipIf(!existsSync(ANALYZE))('has only settings that systemd knows', () => {
    // One that is started with a name is verified with one.
    const name = unit.replace('@.', '@3001.')
    const folder = mkdtempSync(join(tmpdir(), 'stockbridge-units-'))
    const path = join(folder, name)
    writeFileSync(path, read(unit))
    const args = ['verify', '--man=no', path]
    const { status, stdout, stderr } = spawnSync(ANALYZE, args, { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    expect([status, stdout + stderr]).toEqual([0, ''])
  })
})
