export { AmiFamily, type OperatingSystem } from '../common/ami-family';
