export const SERVICE = 'blockyard';
export const DESCRIPTION = 'Open data as functions';
