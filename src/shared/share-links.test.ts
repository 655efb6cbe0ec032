import { describe, expect, it } from 'vitest'

import { needsSignInElsewhere, readShareLink, toFileUrl } from './share-links'

const BOOK = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms'
const SHEET = `https://docs.google.com/spreadsheets/d/${BOOK}`
const PUBLISHED = 'https://docs.google.com/spreadsheets/d/e/2PACX-1vQ4x_AbC'
const DRIVE = 'https://drive.google.com'
const HASH = 'aa5a315d61ae9438b18d0123456789abcdef0123'

describe('a link that shows a file to people', () => {
  it.each([
    [`${SHEET}/edit#gid=0`, `${SHEET}/export?format=csv&gid=0`],
    [`${SHEET}/edit?gid=1203#gid=1203`, `${SHEET}/export?format=csv&gid=1203`],
    [`${SHEET}/edit?usp=sharing`, `${SHEET}/export?format=csv`],
    [`${SHEET}/view#range=A1&gid=7`, `${SHEET}/export?format=csv&gid=7`],
    [SHEET, `${SHEET}/export?format=csv`],
    [`${SHEET}/htmlview`, `${SHEET}/export?format=csv`],
    [
      `https://docs.google.com/spreadsheets/u/1/d/${BOOK}/edit#gid=5`,
      `https://docs.google.com/spreadsheets/u/1/d/${BOOK}/export?format=csv&gid=5`,
    ],
    [
      `https://docs.google.com/a/acme.example/spreadsheets/d/${BOOK}/edit`,
      `https://docs.google.com/a/acme.example/spreadsheets/d/${BOOK}/export?format=csv`,
    ],
    [`${SHEET}/edit?resourcekey=0-k#gid=1`, `${SHEET}/export?format=csv&gid=1&resourcekey=0-k`],
    [`${PUBLISHED}/pubhtml`, `${PUBLISHED}/pub?output=csv`],
    [`${PUBLISHED}/pubhtml?gid=9&single=true`, `${PUBLISHED}/pub?output=csv&gid=9&single=true`],
  ])('is read as one of Google Sheets: %s', (address, fileUrl) => {
    expect(readShareLink(address)).toEqual({ service: 'Google Sheets', fileUrl })
  })

  it.each([
    [
      `${DRIVE}/file/d/0B1abcDEF_ghi-jk/view?usp=sharing`,
      `${DRIVE}/uc?export=download&id=0B1abcDEF_ghi-jk`,
    ],
    [`${DRIVE}/file/u/0/d/0B1abcDEF_ghi-jk`, `${DRIVE}/uc?export=download&id=0B1abcDEF_ghi-jk`],
    [`${DRIVE}/open?id=0B1abcDEF_ghi-jk`, `${DRIVE}/uc?export=download&id=0B1abcDEF_ghi-jk`],
  ])('is read as one of Google Drive: %s', (address, fileUrl) => {
    expect(readShareLink(address)).toEqual({ service: 'Google Drive', fileUrl })
  })

  it.each([
    [
      'https://www.dropbox.com/scl/fi/k9x/stock.csv?rlkey=abc&dl=0',
      'https://www.dropbox.com/scl/fi/k9x/stock.csv?rlkey=abc&dl=1',
    ],
    [
      'https://www.dropbox.com/s/k9x/stock.csv#hash',
      'https://www.dropbox.com/s/k9x/stock.csv?dl=1',
    ],
    ['https://dropbox.com/sh/k9x/abc?dl=0', 'https://dropbox.com/sh/k9x/abc?dl=1'],
  ])('is read as one of Dropbox: %s', (address, fileUrl) => {
    expect(readShareLink(address)).toEqual({ service: 'Dropbox', fileUrl })
  })

  it.each([
    [
      'https://github.com/acme/data/blob/main/a%20b/stock.csv?plain=1#L3',
      'https://github.com/acme/data/raw/main/a%20b/stock.csv',
    ],
    [
      'https://github.com/acme/data/blob/main/blob/stock.csv',
      'https://github.com/acme/data/raw/main/blob/stock.csv',
    ],
    [`https://gist.github.com/acme/${HASH}`, `https://gist.github.com/acme/${HASH}/raw`],
  ])('is read as one of GitHub: %s', (address, fileUrl) => {
    expect(readShareLink(address)).toEqual({ service: 'GitHub', fileUrl })
  })

  it.each([
    [
      'https://gitlab.com/acme/shop/data/-/blob/main/stock.csv?ref_type=heads#L1',
      'https://gitlab.com/acme/shop/data/-/raw/main/stock.csv?ref_type=heads',
    ],
    [
      'https://git.acme.example:8443/team/data/-/blob/v1/a/stock.csv',
      'https://git.acme.example:8443/team/data/-/raw/v1/a/stock.csv',
    ],
  ])('is read as one of GitLab: %s', (address, fileUrl) => {
    expect(readShareLink(address)).toEqual({ service: 'GitLab', fileUrl })
  })
})

describe('an address that stays as it is', () => {
  it.each([
    `${SHEET}/export?format=xlsx`,
    `${SHEET}/gviz/tq?tqx=out:csv`,
    `${PUBLISHED}/pub?output=csv`,
    'https://docs.google.com/document/d/abcdefghijkl/edit',
    `${DRIVE}/uc?export=download&id=0B1abcDEF_ghi-jk`,
    `${DRIVE}/drive/folders/0B1abcDEF_ghi-jk`,
    'https://www.dropbox.com/s/k9x/stock.csv?raw=1',
    'https://www.dropbox.com/s/k9x/stock.csv?dl=1',
    'https://dl.dropboxusercontent.com/s/k9x/stock.csv?dl=0',
    'https://raw.githubusercontent.com/acme/data/main/stock.csv',
    'https://github.com/acme/data/raw/main/stock.csv',
    'https://github.com/acme/blob',
    'https://github.com/acme/data/releases/download/v1/stock.csv',
    'https://gitlab.com/acme/data/-/raw/main/stock.csv',
    // Hosts that only look like it.
    'https://github.com.example/acme/data/blob/main/stock.csv',
    'https://notdropbox.com/s/k9x/stock.csv?dl=0',
    'https://github.com:8443/acme/data/blob/main/stock.csv',
    'https://constructor/acme/data/blob/main/stock.csv',
    'https://example.com/docs.google.com/spreadsheets/d/abcdefghijkl/edit',
    'https://example.com/-/blob/',
  ])('%s', (address) => {
    expect([readShareLink(address), toFileUrl(address)]).toEqual([undefined, address])
  })
})

it('the file of a link is at the same host, so that limits and credentials of the host are its own', () => {
  for (const address of [
    `${SHEET}/edit`,
    'https://github.com/a/b/blob/c/d',
    `${DRIVE}/open?id=a`,
  ]) {
    expect(new URL(toFileUrl(address)).origin).toBe(new URL(address).origin)
  }
})

it.each([
  ['https://1drv.ms/x/s!AbC', true],
  ['https://onedrive.live.com/edit.aspx?resid=1', true],
  ['https://onedrive.live.com/download?resid=1', false],
  ['https://acme.sharepoint.com/:x:/s/team/EdZ?e=1', true],
  ['https://acme.sharepoint.com/:x:/s/team/EdZ?download=1', false],
  ['https://acme.sharepoint.com/sites/team/stock.csv', false],
  ['https://sharepoint.com.example/:x:/s/team', false],
])('whether %s is only for those who are signed in there: %s', (address, expected) => {
  expect(needsSignInElsewhere(address)).toBe(expected)
})
