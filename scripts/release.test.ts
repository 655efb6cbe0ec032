import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

/** A version by the rules of semver.org, without what comes before a release. */
const VERSION = String.raw`\d+\.\d+\.\d+`
const OVERLAYS = 'deploy/kubernetes/overlays'

const read = (path: string) => readFileSync(path, 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }
const toNumbers = (name: string) => name.split('.').map(Number)
const newestFirst = (one: string, other: string) => {
  const [ours, theirs] = [toNumbers(one), toNumbers(other)]
  const place = ours.findIndex((number, index) => number !== theirs[index])
  return place < 0 ? 0 : theirs[place]! - ours[place]!
}

const headings = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, name = '']) => name)
const released = headings.filter((heading) => heading !== 'Unreleased')
const versions = released.map((heading) => heading.split(' ', 1)[0] ?? '')

describe('a release', () => {
  it('is the newest of the changelog, and what is not released yet comes before it', () => {
    expect(version).toMatch(new RegExp(`^${VERSION}$`))
    expect(versions[0]).toBe(version)
    expect(versions).toEqual(versions.toSorted(newestFirst))
    expect(new Set(versions).size).toBe(versions.length)
    expect(headings.slice(1)).not.toContain('Unreleased')
  })

  it.each(released)('has a day: %s', (heading) => {
    const [, day = ''] = new RegExp(`^${VERSION} - (\\d{4}-\\d\\d-\\d\\d)$`).exec(heading) ?? []
    expect(new Date(day).toISOString().slice(0, 10)).toBe(day)
  })

  it('has notes for whoever updates to it', () => {
    const notes = [...read('docs/upgrading.md').matchAll(/^## To (.+)$/gm)]
    expect(notes.map(([, name]) => name)).toEqual(versions)
  })

  it('is what npm installs, and what the overlays for Kubernetes name', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      version: string
      packages: Record<string, { version: string }>
    }
    expect([lock.version, lock.packages['']?.version]).toEqual([version, version])
    for (const overlay of readdirSync(OVERLAYS)) {
      const { images } = parse(read(join(OVERLAYS, overlay, 'kustomization.yaml'))) as {
        images: { newTag: string }[]
      }
      expect(images.map(({ newTag }) => newTag)).toEqual([version])
    }
  })

  it('is built for both processors from a tag that is its version, with the list of what is in it', () => {
    const text = read('.github/workflows/release.yml')
    const { on, jobs } = parse(text) as {
      on: { push: { tags: string[]; branches?: string[] } }
      jobs: Record<string, { strategy?: { matrix: { include: { platform: string }[] } } }>
    }
    expect(on).toEqual({ push: { tags: ['v*'] } })
    const platforms = jobs.image?.strategy?.matrix.include.map(({ platform }) => platform)
    expect(platforms).toEqual(['amd64', 'arm64'])
    expect(text).toContain('test "v$(jq -r .version package.json)" = "$GITHUB_REF_NAME"')
    expect(text).toContain('--sbom=true --provenance=mode=max')
    for (const platform of platforms ?? []) expect(text).toContain(`"$image-${platform}"`)
    for (const option of ['--read-only', '--cap-drop ALL', 'no-new-privileges:true']) {
      expect(text).toContain(option)
    }
  })
})
