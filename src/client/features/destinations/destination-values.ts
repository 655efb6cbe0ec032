import { schemaResolver } from '@mantine/form'

import {
  DEFAULT_FILE_NAME,
  destinationKindOf,
  type DestinationKind,
  type WebMethod,
} from '../../../shared/destinations'
import {
  createDestinationInput,
  type CreateDestinationInput,
  type Destination,
} from '../../../shared/schemas/destination'
import type { ShopFormat } from '../../../shared/schemas/shop-format'
import type { SourceFormValues } from '../../components/form/source-form'
import { startAuth, toCurrentAuth, toTransferInput } from '../../lib/source-access'
import { ownTimeZone } from '../../lib/time-zones'
import { KINDS } from './destination-words'

/** What is entered of a destination, in the shape of what is sent. */
export interface DestinationValues {
  /** null before one is chosen. */
  kind: DestinationKind | null
  name: string
  config: SourceFormValues
  method: WebMethod
  recipients: number[]
  fileName: string
  profile: ShopFormat | null
  isTimed: boolean
  times: string[]
  timeZone: string
  onlyIfChanged: boolean
}

const FIRST_TIME = '06:00'

/** @param timeZone of the retailer; UTC until one is chosen */
export function startValues(destination: Destination | null, timeZone: string): DestinationValues {
  const saved = destination?.config ?? null
  const hasTimes = destination !== null && destination.times.length > 0
  return {
    kind: destination?.kind ?? null,
    name: destination?.name ?? '',
    config: {
      url: saved?.url ?? '',
      auth: startAuth(saved?.auth.type ?? 'none', saved),
      transfer: saved?.transfer,
    },
    method: destination?.method ?? 'PUT',
    recipients: destination?.recipients ?? [],
    fileName: destination?.fileName ?? DEFAULT_FILE_NAME,
    profile: destination?.profile ?? null,
    isTimed: hasTimes,
    times: hasTimes ? destination.times : [FIRST_TIME],
    timeZone: hasTimes || timeZone !== 'UTC' ? timeZone : ownTimeZone(),
    onlyIfChanged: destination?.onlyIfChanged ?? true,
  }
}

/** An address of a kind before it is typed: it tells which access is needed. */
export const startConfig = (kind: DestinationKind): SourceFormValues => ({
  url: KINDS[kind].start,
  auth: startAuth(kind === 's3' ? 's3' : kind === 'sftp' ? 'basic' : 'none', null),
})

/** Puts what addresses of its kind begin with before one without it, and takes it away where it was pasted after it. */
export function completeAddress(text: string, kind: DestinationKind | null): string {
  const typed = text.trim()
  const [, pasted] = /^[a-z\d]+:\/\/([a-z\d]+:\/\/.+)$/i.exec(typed) ?? []
  if (pasted !== undefined) return pasted
  const isBare = typed !== '' && kind !== null && !/^[a-z\d+.-]+:/i.test(typed)
  return isBare ? KINDS[kind].start + typed : typed
}

/** What a destination is called unless somebody says otherwise. */
export function proposeName({ kind, config: { url } }: DestinationValues): string {
  if (kind === null) return ''
  if (kind === 'mail') return KINDS.mail.name
  return /^[a-z\d]+:\/\/(?:[^/@]*@)?([^/:]+)/i.exec(url)?.[1] ?? KINDS[kind].name
}

export type DestinationSettings = Omit<CreateDestinationInput, 'id' | 'isActive'>

/** As it is sent. */
export function toSettings(
  values: DestinationValues,
  saved: Destination['config'],
): DestinationSettings {
  const { kind, config, name, isTimed, times, timeZone: _, recipients, ...others } = values
  const isMail = kind === 'mail'
  return {
    ...others,
    name: name.trim() || proposeName(values),
    ...(isMail
      ? { recipients }
      : {
          config: {
            ...config,
            auth: toCurrentAuth(config, saved),
            transfer: toTransferInput(config),
          },
        }),
    times: isTimed ? [...new Set(times)].toSorted() : [],
  }
}

const resolve = schemaResolver(createDestinationInput.omit({ id: true, isActive: true }), {
  sync: true,
})

/** What is wrong with what was entered, by the paths of its fields. */
export function findProblems(
  values: DestinationValues,
  saved: Destination['config'],
): Record<string, string> {
  const { kind, config, recipients } = values
  if (kind === null) return { kind: 'Choose how the file is sent' }
  const { times, ...problems } = gather(resolve(toSettings(values, saved)))
  return {
    ...problems,
    ...(times !== undefined && { times }),
    ...(kind === 'mail' && recipients.length === 0 && { recipients: 'Choose who gets the file' }),
    ...(kind !== 'mail' &&
      !isEntered(config.url) && { 'config.url': 'Enter where the file is sent to' }),
    ...(values.isTimed && values.times.length === 0 && { times: 'Choose at least one time' }),
  }
}

/** Whether more is there than how such an address begins. */
const isEntered = (url: string) => url.replace(/^[a-z\d]+:\/\//i, '').trim() !== ''

/** A problem of one of the times stands below all of them. */
function gather(errors: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([path, error]) => [
      path.replace(/^times\..*/, 'times'),
      String(error),
    ]),
  )
}

/** The kind that an address tells, or the one that was chosen. */
export const kindOf = ({ kind, config }: DestinationValues): DestinationKind | null =>
  kind === null || kind === 'mail' ? kind : (destinationKindOf(config.url) ?? kind)
