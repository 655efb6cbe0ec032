import { z } from 'zod'

import { DEFAULT_MAX_RETAILERS, DEFAULT_RETAILER_SYNC_FREQUENCY, MEMBER_ROLES } from '../constants'
import { INVITATION_KINDS, INVITATION_MAIL_STATES, INVITATION_STATES } from '../invitations'
import { emailSchema, idSchema, instantSchema, nameSchema, nullWhenEmpty } from './primitives'
import { retailerFields } from './retailer'
import { chosenShopFormatSchema, shopFormatSchema } from './shop-format'
import { accountFields, googleSignInInput, invitationFormSchema } from './user'

/** What an invited retailer gets: its store, and what it may see, how often and in which form. */
const retailerTerms = z.object({
  ...retailerFields.pick({ storeName: true, visibilitySettings: true }).shape,
  syncFrequency: retailerFields.shape.syncFrequency,
})

/** What an invited supplier gets. */
const supplierTerms = accountFields.pick({ companyName: true, maxRetailers: true })

/** What somebody gets who is invited to the people of a company. */
const personTerms = z.object({
  name: nameSchema('Name'),
  role: z.enum(MEMBER_ROLES, { error: 'This is not a role of people' }),
})

/** What an invited account will get, by the kind of its invitation. */
export const invitationTermsSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('RETAILER'),
    ...retailerTerms.shape,
    profile: shopFormatSchema.optional(),
    groupId: idSchema.optional(),
  }),
  z.object({ kind: z.literal('SUPPLIER'), ...supplierTerms.shape }),
  z.object({ kind: z.literal('MEMBER'), ...personTerms.shape }),
])
export type InvitationTerms = z.infer<typeof invitationTermsSchema>

/** Where the link is sent; without an address it is shown to whoever invites. */
const email = z.preprocess(nullWhenEmpty, emailSchema.nullish())

export const inviteRetailerInput = z.object({
  /** For administrators: whose retailer. */
  supplierId: idSchema.nullish(),
  email,
  storeName: retailerTerms.shape.storeName,
  visibilitySettings: retailerTerms.shape.visibilitySettings.default({
    allProducts: true,
    categories: [],
  }),
  syncFrequency: retailerTerms.shape.syncFrequency.default(DEFAULT_RETAILER_SYNC_FREQUENCY),
  profile: chosenShopFormatSchema.optional(),
  /** The group whose settings it gets, instead of those given; null: none. */
  groupId: idSchema.nullish(),
})
export type InviteRetailerInput = z.infer<typeof inviteRetailerInput>

export const inviteSupplierInput = z.object({
  email,
  companyName: supplierTerms.shape.companyName,
  maxRetailers: supplierTerms.shape.maxRetailers.default(DEFAULT_MAX_RETAILERS),
})
export type InviteSupplierInput = z.infer<typeof inviteSupplierInput>

/** Administrators name the company: the id of a supplier, or of a retailer's login. */
const companyId = idSchema.optional()

export const invitePersonInput = z.object({ companyId, email, ...personTerms.shape })
export type InvitePersonInput = z.infer<typeof invitePersonInput>

export const listInvitedPeopleInput = z.object({ companyId }).default({})

/** An invitation as those see it who invite. */
export const invitationSchema = z.object({
  id: idSchema,
  kind: z.enum(INVITATION_KINDS),
  /** Of the store, the company or the person. */
  name: z.string(),
  /** Of a person; null for others. */
  role: z.enum(MEMBER_ROLES).nullable(),
  email: z.string().nullable(),
  state: z.enum(INVITATION_STATES),
  /** What became of the mail; null when the link was shown instead. */
  mailState: z.enum(INVITATION_MAIL_STATES).nullable(),
  /** When the newest link was made, and until when it works. */
  renewedAt: instantSchema,
  expiresAt: instantSchema,
  /** When it was accepted or withdrawn. */
  endedAt: instantSchema.nullable(),
  /** The username of the account; null when it was not accepted, or the account is gone. */
  acceptedBy: z.string().nullable(),
})
export type Invitation = z.infer<typeof invitationSchema>

export const listInvitationsInput = z.object({
  /** For administrators: the supplier whose retailers are invited; otherwise suppliers are listed. */
  supplierId: idSchema.optional(),
})

export const invitationListSchema = z.object({
  /** Open ones first, then the newest. */
  invitations: z.array(invitationSchema),
  /** Of retailers: each has its place among those that the supplier may have. */
  openCount: z.number().int(),
  /** Whether this installation sends e-mail. */
  hasMail: z.boolean(),
})
export type InvitationList = z.infer<typeof invitationListSchema>

/** An invitation with its newest link, if that was not sent by mail: it is shown once. */
export const newInvitationSchema = z.object({
  invitation: invitationSchema,
  /** The path: /invitation#token={token} */
  path: z.string().nullable(),
})
export type NewInvitation = z.infer<typeof newInvitationSchema>

export const renewInvitationInput = z.object({
  id: idSchema,
  /** Whether the new link is sent to the address of the invitation, or shown. */
  isMailed: z.boolean({ error: 'isMailed must be true or false' }),
})

const LONGEST_TOKEN = 100
const token = z.string({ error: 'token is required' }).max(LONGEST_TOKEN)

export const openInvitationInput = z.object({ token })

/** What is seen by the link of an invitation. */
export const openedInvitationSchema = z.object({
  kind: z.enum(INVITATION_KINDS),
  /** Of the store, the company or the person. */
  name: z.string(),
  /** Of a person; null for others. */
  role: z.enum(MEMBER_ROLES).nullable(),
  /** The company that invites; null for administrators. */
  inviter: z.string().nullable(),
  /** The address that is known already; without it, one is asked for. */
  email: z.string().nullable(),
  expiresAt: instantSchema,
})
export type OpenedInvitation = z.infer<typeof openedInvitationSchema>

export const acceptInvitationInput = invitationFormSchema.extend({
  token,
  contactEmail: z.preprocess(nullWhenEmpty, accountFields.shape.contactEmail.nullish()),
})
export type AcceptInvitationInput = z.infer<typeof acceptInvitationInput>

export const acceptWithGoogleInput = googleSignInInput.pick({ uid: true }).extend({ token })

/** What a company that accepts with the login that it has is to its new supplier. */
export const newRelationSchema = z.object({ retailerId: idSchema })
