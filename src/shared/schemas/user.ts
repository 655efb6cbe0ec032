import { z } from 'zod'

import { MEMBER_ROLES, ROLES } from '../constants'
import {
  emailSchema,
  idSchema,
  instantSchema,
  maxRetailersSchema,
  nameSchema,
  newPasswordSchema,
  nullWhenEmpty,
  usernameSchema,
} from './primitives'

/** A user in a response: never a password or a hash. */
export const userSchema = z.object({
  id: idSchema,
  username: z.string(),
  role: z.enum(ROLES),
  isActive: z.boolean(),
  companyName: z.string().nullable(),
  maxRetailers: z.number().nullable(),
  contactEmail: z.string().nullable(),
  displayName: z.string().nullable(),
  photoURL: z.string().nullable(),
  createdAt: instantSchema,
})
export type User = z.infer<typeof userSchema>

/** The signed-in user. */
export const currentUserSchema = userSchema.extend({
  /** Who signed in, unless that is the company's own login. */
  member: z.object({ id: idSchema, role: z.enum(MEMBER_ROLES) }).optional(),
  /** Until when an administrator sees the product as this user, and can change nothing. */
  viewedUntil: instantSchema.optional(),
  /** When the company is to be deleted. */
  deletionAt: instantSchema.optional(),
  /** By when a second factor has to be turned on, and whether nothing else is possible any more without. */
  secondFactorWanted: z.object({ by: instantSchema, isOverdue: z.boolean() }).optional(),
})
export type CurrentUser = z.infer<typeof currentUserSchema>

export const usernameResultSchema = userSchema.pick({ id: true, username: true })

/** A login. The rules for new passwords do not apply to it; the maximum only bounds the input. */
export const loginInput = z.object({
  username: z
    .string({ error: 'Username is required' })
    .trim()
    .min(1, 'Username is required')
    .max(1_000),
  password: z.string({ error: 'Password is required' }).min(1, 'Password is required').max(1_000),
  /** Of the second factor, if one is on: a code of the authenticator app, or a recovery code. */
  code: z.string({ error: 'code must be a text' }).trim().max(100).optional(),
})
export type LoginInput = z.infer<typeof loginInput>

/** The fields of an account; the inputs and forms of users and suppliers derive from them. */
export const accountFields = z.object({
  username: usernameSchema,
  password: newPasswordSchema,
  companyName: nameSchema('Company name'),
  contactEmail: emailSchema,
  maxRetailers: maxRetailersSchema,
})

const registrableRole = z
  .enum(ROLES, { error: 'Role must be SUPER_ADMIN, SUPPLIER or RETAILER' })
  .default('SUPPLIER')

/** The part of a registration that decides whether the caller may make it at all. */
export const registerRoleInput = z.object({ role: registrableRole })

/** A person's identity as reported by an identity provider. */
const googleIdentitySchema = z.object({
  uid: z.string({ error: 'uid is required' }).min(1, 'uid is required').max(255),
  email: z.string(),
  displayName: z.string().nullable(),
  photoURL: z.string().nullable(),
})
export type GoogleIdentity = z.infer<typeof googleIdentitySchema>

/**
 * POST /api/auth/google. The server uses the identity that the provider reported to it; of this
 * input it only compares `uid`.
 */
export const googleSignInInput = googleIdentitySchema
  .partial({ email: true, displayName: true, photoURL: true })
  .extend({ role: z.string().optional(), maxRetailers: z.number().optional() })

/** The report of the sign-in window to the page that opened it; the page chose `attempt`. */
export type GooglePopupReport = { attempt: string } & (
  | { identity: GoogleIdentity }
  | { error: string }
)

/** POST /api/register. A rule of the server decides which roles a caller may register. */
export const registerInput = z
  .object({
    username: accountFields.shape.username,
    password: accountFields.shape.password,
    contactEmail: z.preprocess(nullWhenEmpty, accountFields.shape.contactEmail.nullish()),
    role: registrableRole,
    companyName: z.preprocess(nullWhenEmpty, accountFields.shape.companyName.nullish()),
    maxRetailers: accountFields.shape.maxRetailers.nullish(),
  })
  .superRefine((user, context) => {
    if (user.role !== 'SUPPLIER') return
    if (!user.companyName) {
      context.addIssue({
        code: 'custom',
        path: ['companyName'],
        message: 'Company name is required',
      })
    }
    if (!user.contactEmail) {
      context.addIssue({ code: 'custom', path: ['contactEmail'], message: 'Invalid email address' })
    }
  })
export type RegisterInput = z.infer<typeof registerInput>

/** The registration form: a supplier signs up. */
export const registrationFormSchema = accountFields.omit({ maxRetailers: true })
export type RegistrationForm = z.infer<typeof registrationFormSchema>

/** What whoever accepts an invitation has to say; the address only if the invitation has none. */
export const invitationFormSchema = accountFields.pick({
  username: true,
  password: true,
  contactEmail: true,
})
export type InvitationForm = z.infer<typeof invitationFormSchema>

/**
 * Whether feed addresses end with the password: those of the retailer, or of all retailers of the supplier.
 * Without it, shops go on reading.
 */
const endsFeedAddresses = z.boolean({ error: 'endsFeedAddresses must be true or false' }).optional()

/** POST /api/admin/reset-password: the caller's own password. */
export const changePasswordInput = z.object({
  currentPassword: z
    .string({ error: 'Current password is required' })
    .min(1, 'Current password is required')
    .max(1_000),
  newPassword: newPasswordSchema,
  endsFeedAddresses,
})

/** The Change Password dialog, where the new password is entered twice. */
export const changePasswordFormSchema = changePasswordInput
  .extend({ confirmPassword: z.string().min(1, 'Please confirm your password') })
  .superRefine((form, context) => {
    if (form.confirmPassword && form.newPassword !== form.confirmPassword) {
      context.addIssue({
        code: 'custom',
        path: ['confirmPassword'],
        message: "Passwords don't match",
      })
    }
  })
export type ChangePasswordForm = z.infer<typeof changePasswordFormSchema>

/** PATCH /api/users/{userId}/reset-password. */
export const resetPasswordInput = z.object({
  userId: idSchema,
  newPassword: newPasswordSchema,
  endsFeedAddresses,
})
