import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Deployment } from 'kubernetes-models/apps/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { Pod } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

import { COMMANDS } from '../scripts/commands.mjs'
import viteConfig from '../vite.config'

const FOLDER = 'deploy'

const read = (path: string) => readFileSync(path, 'utf8')
const readDocuments = (path: string) =>
  parseAllDocuments(read(join(FOLDER, path))).map((document) => document.toJS() as unknown)

/** The programs that the build has, which are all that there is in the image. */
const { input } = viteConfig.environments!.server!.build!.rolldownOptions!
const PROGRAMS = Object.keys(input as Record<string, string>)

const guide = read('docs/deployment.md')

describe('the commands of the guide for containers', () => {
  it('run programs of the image, and all that an operator needs', () => {
    const named = [...guide.matchAll(/(?:stockbridge|--) stockbridge ([a-z-]+)/g)].map(
      ([, name]) => name,
    )
    expect(Object.keys(COMMANDS)).toEqual(expect.arrayContaining(named))
    const run = Object.values(COMMANDS).map(({ program }) => program)
    expect(PROGRAMS).toEqual(expect.arrayContaining(run))
    expect(named).toEqual(expect.arrayContaining(['doctor', 'create-admin', 'backup', 'restore']))
  })

  it('name services that the compose files have', () => {
    const commands = [
      ...guide.matchAll(/docker compose (?:-f (\S+) )?(?:exec|run) (?:.* )?(\w+) stockbridge /g),
    ]
    expect(commands.length).toBeGreaterThan(2)
    for (const [, file = 'compose.yaml', service] of commands) {
      expect(Object.keys((parse(read(file)) as { services: object }).services)).toContain(service)
    }
  })

  it('name deployments and pods that the manifests have', () => {
    const kinds = ['web', 'worker'].flatMap((name) => readDocuments(`kubernetes/base/${name}.yaml`))
    const known = [...kinds, ...readDocuments('kubernetes-commands.yaml')].map((each) => {
      const { kind, metadata } = each as { kind: string; metadata: { name: string } }
      return `${kind.toLowerCase()}/${metadata.name}`
    })
    const named = [...guide.matchAll(/\b(?:deployment|pod)\/stockbridge-\w+/g)].map(
      ([name]) => name,
    )
    expect(named).toContain('pod/stockbridge-commands')
    expect(known).toEqual(expect.arrayContaining(named))
  })
})

it('the image has what stockbridge and run.mjs import', () => {
  const [, copied = ''] = /COPY --from=build (.*) scripts\/$/m.exec(read(`${FOLDER}/Dockerfile`))!
  const files = ['stockbridge.mjs', 'run.mjs']
  for (const file of files) {
    const found = read(`scripts/${file}`).matchAll(/^(?:import|.* from) '\.\/(.*)'/gm)
    for (const [, name = ''] of found) if (!files.includes(name)) files.push(name)
  }
  expect(files).toContain('runtime.mjs')
  for (const file of files) expect(copied).toContain(`/app/scripts/${file}`)
})

describe('the pod for commands', () => {
  const [pod, policy] = readDocuments('kubernetes-commands.yaml') as [
    ConstructorParameters<typeof Pod>[0],
    ConstructorParameters<typeof NetworkPolicy>[0],
  ]
  const [worker] = readDocuments('kubernetes/base/worker.yaml') as [
    ConstructorParameters<typeof Deployment>[0],
  ]

  it('is valid, and confined as the pods of the product are', () => {
    expect(() => new Pod(pod).validate()).not.toThrow()
    expect(() => new NetworkPolicy(policy).validate()).not.toThrow()
    const { spec } = worker!.spec!.template
    const { automountServiceAccountToken, enableServiceLinks, securityContext } = spec!
    expect(pod!.spec).toMatchObject({
      automountServiceAccountToken,
      enableServiceLinks,
      securityContext,
    })
    const [own] = pod!.spec!.containers
    const [its] = spec!.containers
    expect(own).toMatchObject({
      image: its!.image,
      envFrom: its!.envFrom,
      securityContext: its!.securityContext,
      volumeMounts: its!.volumeMounts,
    })
  })

  it('reaches what the workers reach, and nobody reaches it', () => {
    const [, workers] = readDocuments('kubernetes/base/network.yaml') as (typeof policy)[]
    expect(policy!.spec!.egress).toEqual(workers!.spec!.egress)
    expect(policy!.spec).toMatchObject({
      podSelector: { matchLabels: pod!.metadata!.labels },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [],
    })
  })
})
