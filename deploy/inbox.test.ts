import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Deployment } from 'kubernetes-models/apps/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { Service } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const read = (path: string) => readFileSync(join('deploy', path), 'utf8')
const readDocuments = (path: string) =>
  parseAllDocuments(read(path)).map((document) => document.toJS() as unknown)

type Pods = ConstructorParameters<typeof Deployment>[0]
type Policy = ConstructorParameters<typeof NetworkPolicy>[0]
type Entrance = ConstructorParameters<typeof Service>[0]

describe('the inbox in Kubernetes', () => {
  const [pods, sftp, mails, policy] = readDocuments('kubernetes-inbox.yaml') as [
    Pods,
    Entrance,
    Entrance,
    Policy,
  ]
  const [worker] = readDocuments('kubernetes/base/worker.yaml') as [Pods]
  const [, workers] = readDocuments('kubernetes/base/network.yaml') as Policy[]

  it('is valid, and confined as the workers are', () => {
    expect(() => new Deployment(pods).validate()).not.toThrow()
    for (const service of [sftp, mails]) expect(() => new Service(service).validate()).not.toThrow()
    expect(() => new NetworkPolicy(policy).validate()).not.toThrow()
    const [own, its] = [pods, worker].map((one) => one!.spec!.template.spec!)
    const { securityContext, automountServiceAccountToken, enableServiceLinks, volumes } = its!
    expect(own).toMatchObject({
      securityContext,
      automountServiceAccountToken,
      enableServiceLinks,
      volumes,
    })
    const { image, envFrom, resources, securityContext: walls, volumeMounts } = its!.containers[0]!
    expect(own!.containers).toMatchObject([
      { image, envFrom, resources, securityContext: walls, volumeMounts },
    ])
    expect(own!.containers[0]!.startupProbe).toMatchObject({ failureThreshold: 360 })
  })

  it('takes files from anywhere, mails from the mail server only, and reaches what workers reach', () => {
    const { podSelector, policyTypes, ingress, egress } = policy!.spec!
    expect(podSelector).toEqual({ matchLabels: pods!.spec!.template.metadata!.labels })
    expect(policyTypes).toEqual(['Ingress', 'Egress'])
    expect(egress).toEqual(workers!.spec!.egress)
    expect(ingress).toEqual([
      ...workers!.spec!.ingress!,
      { ports: [{ port: 'sftp' }] },
      { from: [{ ipBlock: { cidr: '10.0.0.5/32' } }], ports: [{ port: 'smtp' }] },
    ])
    expect(
      [sftp, mails].map((one) => [one!.spec!.type, one!.spec!.ports!.map(({ name }) => name)]),
    ).toEqual([
      ['LoadBalancer', ['sftp']],
      [undefined, ['smtp']],
    ])
  })
})

it('the inbox of Compose runs only if it is asked for, and says itself how it is', () => {
  const { services } = parse(read('compose.workers.yaml'), { merge: true }) as {
    services: Record<string, { profiles?: string[]; healthcheck?: object; command?: string[] }>
  }
  expect(services.inbox).toMatchObject({
    profiles: ['inbox'],
    command: ['node', 'scripts/run.mjs', 'inbox'],
    healthcheck: { test: ['CMD', 'node', 'scripts/run.mjs', 'health', 'inbox'] },
  })
})
