import { describe, expect, it } from 'vitest'

import changelog from '../../../../CHANGELOG.md?raw'
import { readChangelog, forUsers } from './changelog'

const TEXT = `# Changelog

All changes.

## Unreleased

### Added

- A field
  in two lines (migration 0042). See [the guide](docs/guide.md).
- \`npm run doctor\` says more.

### Fixed

- Charts \`a\`.

## 1.0.0

### Added

- Everything.
`

describe('readChangelog', () => {
  it('reads what has changed by release and kind, as plain text', () => {
    expect(readChangelog(TEXT)).toEqual([
      {
        name: 'This version',
        parts: [
          {
            name: 'Added',
            changes: ['A field in two lines. See the guide.', '`npm run doctor` says more.'],
          },
          { name: 'Fixed', changes: ['Charts `a`.'] },
        ],
      },
      { name: '1.0.0', parts: [{ name: 'Added', changes: ['Everything.'] }] },
    ])
  })

  it('reads all of the changelog', () => {
    const changes = readChangelog(changelog).flatMap(({ parts }) =>
      parts.flatMap((part) => part.changes),
    )
    expect(changes).toHaveLength(changelog.split('\n- ').length - 1)
    expect(changes.filter((change) => /^-|\]\(|\s{2}/.test(change))).toEqual([])
  })
})

it('has for users what was added, without what tells of commands and variables', () => {
  expect(forUsers(readChangelog(TEXT))[0]?.parts).toEqual([
    { name: 'Added', changes: ['A field in two lines. See the guide.'] },
  ])
})
